import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { onRig } from '../testing/on-docker.ts'
import { type PrivateRig, privateRig } from '../testing/private-rig.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const mebi = 1024 * 1024

/** Writes until there is no room for another byte: who comes then finds none, whatever else goes on here. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  const zeros = Buffer.alloc(65_536)
  try {
    for (;;) await file.write(zeros)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await file.close()
  }
}

describe('a daemon whose disk is full', { timeout: 300_000 }, () => {
  let rig: PrivateRig | { readonly missing: string } | undefined
  afterEach(async () => {
    if (rig && 'engine' in rig) await rig.engine.stop(call)
  })

  it('is said to be, and gets further when there is room again', async ({ skip }) => {
    rig = await privateRig({ dataBytes: String(24 * mebi) })
    if ('missing' in rig) return skip(rig.missing)
    const { DockerRootDir } = await rig.docker.system.info(call)
    const ballast = join(DockerRootDir, 'ballast')
    await onRig(rig, async ({ kit }) => {
      // Its network and the image of holders are there before.
      await kit.provision({}, kit.ref('before'))
      await fill(ballast)
      expect((await statfs(DockerRootDir)).bavail).toBe(0)
      await kit.refused(kit.provider.provision({ ref: kit.ref(), spec: kit.spec() }, kit.call), 'engine_full')
      expect((await kit.status()).message).toMatch(/no space left/)
      await rm(ballast)
      await kit.provision()
      expect(await kit.status()).toMatchObject({ state: 'running', ready: true })
    })
  })
})
