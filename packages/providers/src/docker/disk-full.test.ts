import { isFault } from '@gantry/core'
import { afterEach, describe, expect, it } from 'vitest'
import { onRig } from '../testing/on-docker.ts'
import { type PrivateRig, privateRig } from '../testing/private-rig.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const mebi = 1024 * 1024

describe('a daemon whose disk is full', { timeout: 300_000 }, () => {
  let rig: PrivateRig | { readonly missing: string } | undefined
  afterEach(async () => {
    if (rig && 'engine' in rig) await rig.engine.stop(call)
  })

  it('is said to be, and gets further when there is room again', async ({ skip }) => {
    rig = await privateRig({ dataBytes: String(24 * mebi) })
    if ('missing' in rig) return skip(rig.missing)
    const { containers } = rig.docker
    const Cmd = ['sh', '-c', 'dd if=/dev/zero of=/var/all bs=65536; dd if=/dev/zero of=/var/rest bs=512; sleep 100000']
    await onRig(rig, async ({ kit }) => {
      // Its network and the image of holders are there before.
      await kit.provision({}, kit.ref('before'))
      const { Id } = await containers.create('filler', { Image: kit.spec().services[0]?.image ?? '', Cmd }, call)
      await containers.start(Id, call)
      const work = () => kit.provider.provision({ ref: kit.ref(), spec: kit.spec() }, kit.call)
      await kit.eventually('there is no room', async () => {
        const fault = await work().catch((error: unknown) => error)
        if (isFault(fault) && fault.reason === 'engine_full') return true
        await kit.gone()
        return false
      })
      expect((await kit.status()).message).toMatch(/no space left/)
      await containers.remove(Id, { force: true, volumes: true }, call)
      await kit.provision()
      expect(await kit.status()).toMatchObject({ state: 'running', ready: true })
    })
  })
})
