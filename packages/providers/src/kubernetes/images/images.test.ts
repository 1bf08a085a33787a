import { randomUUID } from 'node:crypto'
import { systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { buildImage, engine, pushImage } from '@gantry/engines'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { tarArchive } from '../../tar/write.ts'
import { type KubernetesRig, kubernetesRig } from '../../testing/kubernetes-rig.ts'
import { type RegistryFront, registryFront } from '../../testing/registry-front.ts'
import { connectKubernetes } from '../api/connect.ts'
import { Images, type ImagesOptions } from './images.ts'
import { isLoaded, type NodeImages } from './loaded.ts'

const call = { signal: AbortSignal.timeout(600_000) }

describe('what an image means on a cluster', () => {
  let rig: KubernetesRig | { readonly missing: string }
  let registry: Awaited<ReturnType<typeof engine<'registry'>>>
  let front: RegistryFront
  beforeAll(async () => {
    rig = await kubernetesRig()
    registry = await engine('registry', call)
    if (registry.state !== 'missing') front = await registryFront(registry.address.host)
  })
  afterEach(() => front?.trouble())
  afterAll(async () => {
    await front?.close()
    if (registry.state !== 'missing') registry.release()
  })

  function here({ skip }: Pick<TestContext, 'skip'>): KubernetesRig {
    if (registry.state === 'missing') return skip(registry.why)
    return 'missing' in rig ? skip(rig.missing) : rig
  }

  const images = ({ api }: Pick<KubernetesRig, 'api'>, more: Partial<ImagesOptions> = {}): Images =>
    new Images({ api, clock: systemClock, seesNodes: () => true, ways: { plain: [] }, registryMs: 60_000, ...more })

  async function push(name: string): Promise<{ readonly image: string; readonly pin: string }> {
    if (registry.state === 'missing') throw new Error(registry.why)
    const content = Buffer.from(randomUUID())
    const built = buildImage(tarArchive([{ path: 'mark', mode: 0o644, content }]), {})
    const digest = await pushImage(built, `${registry.address.host}/${name}`, call)
    const image = `${front.host}/${name}`
    return { image, pin: `${image.replace(/:[^:/]*$/, '')}@${digest}` }
  }

  it('is what its registry says now, under the name that it was called by', async (context) => {
    const own = images(here(context))
    const name = `${randomUUID()}/moving:1`
    const first = await push(name)
    expect(await own.resolve({ image: first.image, policy: 'if_not_present' }, call)).toBe(first.pin)
    const second = await push(name)
    expect(second.pin).not.toBe(first.pin)
    expect(await own.resolve({ image: first.image, policy: 'always' }, call)).toBe(second.pin)
  })

  it('is itself with a digest, and cannot be told where nodes must have it: nobody is asked', async (context) => {
    const own = images(here(context))
    const { image, pin } = await push(`${randomUUID()}/still:1`)
    const before = front.asked.length
    expect(await own.resolve({ image: pin, policy: 'always' }, call)).toBe(pin)
    expect(await own.resolve({ image, policy: 'never' }, call)).toBeUndefined()
    expect(await own.resolve({ image: `sha256:${'a'.repeat(64)}`, policy: 'always' }, call)).toBeUndefined()
    expect(front.asked).toHaveLength(before)
  })

  it('cannot be told where the registry refuses, or is not there', async (context) => {
    const own = images(here(context))
    const { image } = await push(`${randomUUID()}/refused:1`)
    for (const status of [401, 403, 404, 429, 500, 503]) {
      front.trouble({ status, body: 'no' })
      expect(await own.resolve({ image, policy: 'always' }, call)).toBeUndefined()
    }
    const gone = await registryFront(front.host)
    await gone.close()
    expect(await own.resolve({ image: `${gone.host}/web:1`, policy: 'always' }, call)).toBeUndefined()
  })

  it('is not waited for longer than it may take, and for a while not at all; who leaves is told so', async (context) => {
    const clock = new VirtualClock()
    const own = images(here(context), { clock, registryMs: 5_000 })
    const { image, pin } = await push(`${randomUUID()}/silent:1`)
    const wanted = { image, policy: 'always' } as const
    front.trouble('silent')
    const before = front.asked.length
    const late = own.resolve(wanted, call)
    await expect.poll(() => front.asked.length, { timeout: 60_000 }).toBe(before + 1)
    await clock.advance(5_000)
    expect(await late).toBeUndefined()
    expect(await own.resolve(wanted, call)).toBeUndefined()
    expect(front.asked).toHaveLength(before + 1)
    await clock.advance(60_000)
    const caller = new AbortController()
    const left = own.resolve(wanted, { signal: caller.signal })
    await expect.poll(() => front.asked.length, { timeout: 60_000 }).toBe(before + 2)
    caller.abort(new Error('the caller left'))
    await expect(left).rejects.toThrow('the caller left')
    front.trouble()
    expect(await own.resolve(wanted, call)).toBe(pin)
    expect(clock.pending).toBe(0)
  })

  it('is left to the nodes where somebody put it on one by hand', async (context) => {
    const { api, address } = here(context)
    const nodes = async () => (await api.raw<{ readonly items: NodeImages[] }>('/api/v1/nodes', call))?.items ?? []
    // A young node has not said yet what it has.
    await expect.poll(async () => isLoaded(address.image, await nodes()), { timeout: 120_000 }).toBe(true)
    const { image, pin } = await push(`${randomUUID()}/loaded:1`)
    const more = { status: { images: [{ names: [image] }] } }
    const raw: typeof api.raw = async (path, within) => {
      const list = await api.raw<{ readonly items: NodeImages[] }>(path, within)
      return (list && { ...list, items: [...list.items, more] }) as never
    }
    const own = images({ api: { ...api, raw } })
    const before = front.asked.length
    expect(await own.resolve({ image, policy: 'if_not_present' }, call)).toBeUndefined()
    expect(front.asked).toHaveLength(before)
    expect(await own.resolve({ image, policy: 'always' }, call)).toBe(pin)
  })

  it('is told also to who may not see nodes', async (context) => {
    const { configOf } = here(context)
    const api = await connectKubernetes(await configOf('limited'), call)
    try {
      const { image, pin } = await push(`${randomUUID()}/unseen:1`)
      expect(await images({ api }).resolve({ image, policy: 'if_not_present' }, call)).toBe(pin)
    } finally {
      api.close()
    }
  })
})
