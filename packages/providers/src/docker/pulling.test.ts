import { isFault } from '@gantry/core'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { type DockerHarness, dockerHarness } from '../testing/docker-harness.ts'
import { dockerRig } from '../testing/docker-rig.ts'
import { type ImageRig, imageRig } from '../testing/image-rig.ts'

const megabytes = 8_000_000

describe('an instance whose image is on its way', () => {
  let found: Awaited<ReturnType<typeof imageRig>>
  let harness: DockerHarness | undefined
  beforeAll(async () => {
    found = await imageRig()
  })
  afterEach(async () => {
    if ('docker' in found) found.front.trouble()
    await harness?.dispose()
    harness = undefined
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  async function kitOn({ skip }: Pick<TestContext, 'skip'>): Promise<{ rig: ImageRig; kit: Kit; on: DockerHarness }> {
    const rig = await dockerRig()
    if ('missing' in found) return skip(found.missing)
    if ('missing' in rig) return skip(rig.missing)
    harness = await dockerHarness(rig)
    return { rig: found, kit: new Kit(harness), on: harness }
  }

  it('says how far it is to whoever looks, and stops pulling when it is not wanted any more', async (context) => {
    const { rig, kit, on } = await kitOn(context)
    const { push, front, name } = rig
    const { reference } = await push(`${name('slow')}:1`, { bytes: megabytes })
    front.trouble({ dripAfter: 2_000_000 })
    const spec = kit.spec({ services: [{ name: 'web', image: reference }] })
    const left = new AbortController()
    const provisioning = on.provider.provision({ ref: kit.ref(), spec }, { signal: left.signal })
    // Handled here, since it ends while others are waited for.
    const ended = provisioning.catch((error: unknown) => error)
    const seen = await kit.eventually('it says how much is here', async () => {
      const [replica] = (await on.engine.look(kit.ref(), kit.call))?.replicas ?? []
      return /of 8 MB/.test(replica?.services.web?.message ?? '') && replica?.services.web
    })
    expect(seen).toMatchObject({ phase: 'pulling', ready: false })
    expect(seen.message).toMatch(/^pulling .*:1: [\d.]+ of 8 MB, 0 of 1 layer$/)
    expect(seen.message).toContain(reference)
    expect(await kit.status()).toMatchObject({ state: 'provisioning', ready: false })
    left.abort(new Error('left'))
    expect(await ended).toEqual(new Error('left'))
    await kit.gone()
    await expect.poll(() => front.underWay, { timeout: 60_000 }).toBe(0)
  })

  it('waits for it in the same words all the time, since those are written down', async (context) => {
    const { rig, kit, on } = await kitOn(context)
    const { push, front, name } = rig
    const { reference } = await push(`${name('steady')}:1`, { bytes: megabytes })
    front.trouble({ dripAfter: 2_000_000 })
    const desired = kit.desired({ services: [{ name: 'web', image: reference }] })
    const [reasons, messages] = [new Set<string>(), new Set<string>()]
    await kit.eventually('two different numbers of bytes were seen', async () => {
      const pass = await on.engine.converge(desired, kit.call)
      if (pass.state === 'yield') reasons.add(pass.reason)
      const [replica] = (await on.engine.look(desired.ref, kit.call))?.replicas ?? []
      messages.add(replica?.services.web?.message ?? '')
      return [...messages].filter((each) => / of 8 MB/.test(each)).length > 1
    })
    expect([...reasons]).toContain('replicas to become ready: the image of web to be pulled')
    expect([...reasons].filter((each) => each.includes('MB'))).toEqual([])
    await on.engine.remove(desired.ref, { retained: 'delete' }, kit.call)
  })

  it('fails with the words of a registry that refuses', async (context) => {
    const { rig, kit, on } = await kitOn(context)
    const { front } = rig
    front.trouble({ status: 403, body: '{"errors":[{"code":"DENIED","message":"the account is closed"}]}' })
    const spec = kit.spec({ services: [{ name: 'web', image: `${front.host}/closed/web:1` }] })
    const fault = await on.provider.provision({ ref: kit.ref(), spec }, kit.call).catch((error: unknown) => error)
    expect(isFault(fault) && fault.reason).toBe('image_pull_failed')
    expect(isFault(fault) && fault.message).toContain('the account is closed')
    await kit.gone()
  })

  it('says of an image for another kind of machine that it is, also after a restart of the server', async (context) => {
    const { rig, kit, on } = await kitOn(context)
    const { reference } = await rig.push(`${rig.name('foreign')}:1`, { architecture: 's390x' })
    const desired = kit.desired({ services: [{ name: 'web', image: reference, command: ['/nothing'] }] })
    const warned = `image ${reference} is for linux/s390x, and this engine is linux/`
    const stalledOn = (engine: typeof on.engine) =>
      kit.eventually('it says why it does not start', async () => {
        await engine.converge(desired, kit.call)
        const observed = await engine.look(desired.ref, kit.call)
        return observed?.stalled?.message.includes(warned) && observed
      })
    const observed = await stalledOn(on.engine)
    expect(observed.replicas[0]?.services.web?.message).toContain(warned)
    await stalledOn(await on.reopen())
    await on.engine.remove(desired.ref, { retained: 'delete' }, kit.call)
  })
})
