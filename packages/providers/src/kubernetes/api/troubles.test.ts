import { compactEtcd, kubernetesPids, type PrivateEngine, startPrivate } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { kubernetesRig, testManager } from '../../testing/kubernetes-rig.ts'
import { resolveCluster } from '../config/resolve.ts'
import type { KubernetesApi } from './api.ts'
import { connectKubernetes } from './connect.ts'
import { resources } from './resources.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const resource = resources.configMap
const of = { resource, namespace: 'default' }
const write = { fieldManager: testManager }
const written = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

/** Listens from now on. An API that has just begun says that it has too much to do until it has read what it keeps. */
const listening = ({ objects }: KubernetesApi) =>
  vi.waitFor(
    async () => {
      const { metadata } = await objects.list(of, {}, call)
      return { metadata, events: (await objects.watch(of, metadata, call))[Symbol.asyncIterator]() }
    },
    { timeout: 60_000, interval: 100 },
  )

describe('a cluster in trouble', () => {
  let own: { readonly engine: PrivateEngine<'kubernetes'>; readonly api: KubernetesApi } | undefined
  let missing = ''
  beforeAll(async () => {
    const shared = await kubernetesRig()
    if ('missing' in shared) {
      missing = shared.missing
      return
    }
    const engine = await startPrivate('kubernetes', call)
    const config = await resolveCluster({ kubeconfig: engine.address.kubeconfig }, { env: {} }, call)
    own = { engine, api: await connectKubernetes(config, call, { answerMs: 2_000, silenceMs: 3_000 }) }
  })
  afterAll(async () => {
    own?.api.close()
    await own?.engine.stop(call)
  })

  it('that takes connections and never answers is given up in time, also where a watch stood', async ({ skip }) => {
    if (!own) return skip(missing)
    const { objects } = own.api
    const { metadata, events } = await listening(own.api)
    const { apiserver } = await kubernetesPids(own.engine.address)
    process.kill(apiserver, 'SIGSTOP')
    try {
      await expect(objects.list(of, {}, call)).rejects.toMatchObject({ reason: 'deadline_exceeded' })
      await expect(objects.create(of, written('late'), write, call)).rejects.toMatchObject({
        reason: 'deadline_exceeded',
      })
      // A watch that hears nothing ends, and the next one says that nobody is there.
      expect(await events.next()).toMatchObject({ done: true })
      await expect(objects.watch(of, metadata, call)).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    } finally {
      process.kill(apiserver, 'SIGCONT')
    }
    await expect
      .poll(() =>
        objects.list(of, {}, call).then(
          ({ items }) => items.length,
          () => 0,
        ),
      )
      .toBeGreaterThan(0)
  })

  it('that is killed is unreachable to who listens, and there again on the next question', async ({ skip }) => {
    if (!own) return skip(missing)
    const { objects } = own.api
    const { events } = await listening(own.api)
    const lost = expect(events.next()).rejects.toMatchObject({ reason: 'engine_unreachable' })
    await own.engine.restart('immediate', call)
    await lost
    const { events: again } = await listening(own.api)
    await objects.create(of, written('after'), write, call)
    expect((await again.next()).value).toMatchObject({ type: 'added', object: { metadata: { name: 'after' } } })
    await again.return?.()
  })

  it('that has forgotten a version says so', async ({ skip }) => {
    if (!own) return skip(missing)
    const { objects } = own.api
    const { metadata } = await objects.list(of, {}, call)
    for (const name of ['a', 'b', 'c']) await objects.create(of, written(`forgotten-${name}`), write, call)
    await compactEtcd(own.engine.address, call)
    // What it has in memory it still tells; started anew, it has nothing but what is kept.
    await own.engine.restart('fast', call)
    const watching = (async () => {
      for await (const event of await objects.watch(of, metadata, call)) return event
      return undefined
    })()
    await expect(watching).rejects.toMatchObject({ reason: 'version_expired' })
  })
})
