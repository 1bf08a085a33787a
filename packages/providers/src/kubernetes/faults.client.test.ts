/** What the client makes of a server in trouble: each on the real one, through a front that spoils it. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type ApiFront, apiFront } from '../testing/api-front.ts'
import { testManager } from '../testing/kubernetes-rig.ts'
import { inOwnNamespace } from '../testing/on-shared-cluster.ts'
import type { KubernetesApi, WatchEvent } from './api/api.ts'
import { connectKubernetes } from './api/connect.ts'
import { resources } from './api/resources.ts'
import type { KubeObject } from './api/types/meta.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const { configMap: resource } = resources
const answerMs = 2_000

describe('a server in trouble, as its client sees it', () => {
  let front: ApiFront
  let api: KubernetesApi
  const on = inOwnNamespace(async () => {
    front = await apiFront(on.rig.address)
    api = await connectKubernetes(front.config, call, { answerMs })
  })
  afterEach(() => {
    front?.rule()
    front?.heal()
  })
  afterAll(async () => {
    api?.close()
    await front?.close()
  })

  const made = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: {} })
  const create = (name: string) =>
    api.objects.create({ resource, namespace: on.namespace }, made(name), { fieldManager: testManager }, call)
  const get = (name: string) => api.objects.get({ resource, namespace: on.namespace, name }, call)

  it('is out of reach while it is cut off, and answers afterwards', async () => {
    front.cut()
    await expect(get('any')).rejects.toMatchObject({ reason: 'engine_unreachable', kind: 'unavailable' })
    front.heal()
    expect(await get('any')).toBeUndefined()
  })

  it('that takes questions and never answers is waited for until the deadline, and no longer', async () => {
    front.hang()
    const from = performance.now()
    await expect(get('any')).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    await expect(create('hung')).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    await expect(
      api.pods.exec(
        { namespace: on.namespace, pod: 'p', container: 'c' },
        { argv: ['true'], stdin: false, tty: false },
        call,
      ),
    ).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    expect(performance.now() - from).toBeLessThan(3 * answerMs + 3_000)
  })

  it('that says when to come again is asked once more then, also for a change; twice is too many', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: statusOf(429, 'TooManyRequests') }
    let left = 1
    front.rule(({ method }) => (method === 'POST' && left-- > 0 ? busy : undefined))
    const from = performance.now()
    await create('patient')
    expect(performance.now() - from).toBeGreaterThan(900)
    expect(await get('patient')).toBeDefined()
    front.rule(({ method }) => (method === 'POST' ? busy : undefined))
    await expect(create('impatient')).rejects.toMatchObject({ reason: 'too_many_requests' })
    front.rule()
    expect(await get('impatient')).toBeUndefined()
  })

  it('that ends a watch in the middle is told, and asked again from where it was nothing is lost', async () => {
    const of = { resource, namespace: on.namespace }
    const { metadata } = await api.objects.list(of, {}, call)
    const from = metadata.resourceVersion ?? ''
    const names: string[] = []
    const read = async (events: AsyncIterable<WatchEvent<KubeObject>>): Promise<void> => {
      for await (const event of events) if (event.type === 'added') names.push(event.object.metadata.name)
    }
    const first = read(await api.objects.watch(of, { resourceVersion: from }, call)).catch((error: unknown) => error)
    await create('one')
    await vi.waitUntil(() => names.includes('one'), { timeout: 10_000, interval: 5 })
    front.cutWatches()
    expect(await first).toMatchObject({ reason: 'engine_unreachable' })
    await create('two')
    const leave = new AbortController()
    const again = await api.objects.watch(of, { resourceVersion: from }, { signal: leave.signal })
    const second = read(again).catch((error: unknown) => error)
    await vi.waitUntil(() => names.includes('two'), { timeout: 10_000, interval: 5 })
    leave.abort(new Error('seen enough'))
    await second
  })
})

const statusOf = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: `the test says ${reason}`,
  reason,
  code,
})
