/** Parts of a cluster that die, stop and forget in the middle of anything: on one that nobody else has. */
import { compactEtcd } from '@gantry/engines'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAll } from '../contract/bytes.ts'
import type { Kit } from '../contract/kit.ts'
import { Watcher } from '../contract/watcher.ts'
import { label } from '../labels.ts'
import type { Observation } from '../observed.ts'
import { type PrivateCluster, privateCluster } from '../testing/kubernetes-private-rig.ts'
import { onCluster } from '../testing/on-kubernetes.ts'
import { resources } from './api/resources.ts'
import type { KubeObject } from './api/types/meta.ts'

const call = { signal: AbortSignal.timeout(1_200_000) }

const ofSlotB = { labelSelector: `${label.workload}=web,${label.slot}=b` }

const last = (seen: readonly Observation[]) => {
  const found = seen.findLast((each) => each.type === 'snapshot' || each.type === 'changed')
  return found?.type === 'snapshot' ? found.instances[0] : found?.type === 'changed' ? found.instance : undefined
}

/** As a person would who got no answer: until it is so. */
const againUntilDone = (kit: Kit, what: string, work: () => Promise<unknown>) =>
  kit.eventually(`${what} is done when it is asked again`, () =>
    work().then(
      () => true,
      () => false,
    ),
  )

type Node = KubeObject & {
  readonly spec?: { readonly taints?: readonly unknown[] }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

async function takesPods({ api, address }: PrivateCluster): Promise<boolean> {
  const node = await api.objects
    .get<Node>({ resource: resources.node, name: address.nodeName }, call)
    .catch(() => undefined)
  const isReady = node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
  return isReady && (node?.spec?.taints ?? []).length === 0
}

describe('a cluster of which a part', { timeout: 300_000 }, () => {
  let cluster: PrivateCluster
  let missing = ''
  beforeAll(async () => {
    const found = await privateCluster()
    if ('missing' in found) missing = found.missing
    else cluster = found
  })
  afterAll(() => cluster?.end())

  /** A node that could not say for a while that it is there takes no pods until it has: that would be told as a stall. */
  beforeEach(async () => {
    if (!missing) await vi.waitUntil(() => takesPods(cluster), { timeout: 120_000, interval: 200 })
  })

  it('is killed, the API server, in the middle of anything: what was asked for is there when it is asked again', async ({
    skip,
  }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit }) => {
      const { provider } = kit
      const deploy = () => provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call)
      const steps: readonly [string, () => Promise<unknown>, number][] = [
        ['provision', () => kit.provision({ replicas: 2 }), 2],
        ['deploy', deploy, 2],
        ['scale', () => provider.scale(kit.ref(), { replicas: 3 }, kit.call), 3],
        ['deprovision', () => kit.gone(), 0],
      ]
      for (const [what, work, processes] of steps) {
        const first = work().catch((error: unknown) => error)
        await cluster.engine.restart('immediate', call)
        await first
        await againUntilDone(kit, what, work)
        expect(await kit.processes(), what).toHaveLength(processes)
      }
      await kit.assertUntouched()
    })
  })

  it('is killed, the API server: nothing that runs is touched, and it is seen again', async ({ skip }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit }) => {
      await kit.provision({ replicas: 2 })
      const before = (await kit.processes()).map(({ processId }) => processId).sort()
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen[0])
      await cluster.signal('apiserver', 'SIGKILL')
      await watcher.next((seen) => seen.find(({ type }) => type === 'blind'))
      const at = watcher.seen.length
      await expect(kit.harness.engine.look(kit.ref(), kit.call)).rejects.toMatchObject({ kind: 'unavailable' })
      await cluster.engine.restart('immediate', call)
      await watcher.next((seen) => seen.slice(at).find(({ type }) => type === 'snapshot'))
      await againUntilDone(kit, 'provision', () => kit.provision({ replicas: 2 }))
      expect((await kit.processes()).map(({ processId }) => processId).sort()).toEqual(before)
      await watcher.leave()
    })
  })

  it('is killed, the API server, while lines are followed and a command runs: both are told, and can be had again', async ({
    skip,
  }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit }) => {
      await kit.provision({ services: [kit.service({ counts: { line: 'tick', everyMs: 100 } })] })
      const heard: number[] = []
      const leave = new AbortController()
      const following = (async () => {
        for await (const entry of kit.provider.logs?.(kit.ref(), { follow: true }, leave) ?? []) {
          if ('line' in entry) heard.push(Number(entry.line.split(' ')[1]))
        }
      })().catch((error: unknown) => error)
      const hanging = await kit.provider.exec?.(kit.ref(), { argv: kit.harness.argv({ do: 'hang' }) }, kit.call)
      const ended = hanging?.exit.then(
        () => 'ended as if all were well',
        (error: unknown) => error,
      )
      const said = hanging && readAll(hanging.stdout).catch((error: unknown) => error)
      await kit.eventually('lines come', async () => heard.length > 3)
      await cluster.engine.restart('immediate', call)
      expect(await ended).toMatchObject({ kind: 'unavailable' })
      await said
      const until = heard.at(-1) ?? 0
      // Followed on by itself, or told to be broken off: then it is for the caller to ask again.
      const broken = await Promise.race([following, kit.eventually('more', async () => (heard.at(-1) ?? 0) > until)])
      if (broken !== true) expect(broken).toMatchObject({ kind: 'unavailable' })
      leave.abort(new Error('seen enough'))
      await following
      expect(heard).toEqual(heard.map((_, at) => (heard[0] ?? 0) + at))
      await kit.eventually('a command runs again', async () => {
        return (await kit.env('PATH').catch(() => undefined)) !== undefined
      })
      await kit.eventually('lines can be read again', async () => {
        return (await kit.lines({ tail: 1 }).catch(() => [])).length > 0
      })
    })
  })

  it('hangs, the API server: it is blind within our deadlines, and sees again when it goes on', async ({ skip }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit, harness }) => {
      await kit.provision()
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen[0])
      const from = performance.now()
      await cluster.signal('apiserver', 'SIGSTOP')
      try {
        await watcher.next((seen) => seen.find(({ type }) => type === 'blind'))
        expect(performance.now() - from).toBeLessThan(20_000)
        const refused = harness.engine.look(kit.ref(), kit.call)
        await expect(refused).rejects.toMatchObject({ kind: expect.stringMatching(/unavailable|deadline/) })
      } finally {
        await cluster.signal('apiserver', 'SIGCONT')
      }
      const at = watcher.seen.length
      await watcher.next((seen) => seen.slice(at).find(({ type }) => type === 'snapshot'))
      await watcher.leave()
      // The others would take up to a minute to ask again, and nothing that is removed would go until then.
      await cluster.engine.restart('immediate', call)
    })
  })

  it('has forgotten, the database: all is listed anew, and what happened meanwhile is known', async ({ skip }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit, harness }) => {
      const { replicas } = await kit.provision()
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen[0])
      harness.front.cut()
      await harness.crash(replicas[0]?.engineId ?? '', 'web')
      await compactEtcd(cluster.address, call)
      await cluster.engine.restart('immediate', call)
      harness.front.heal()
      await watcher.next((seen) => last(seen)?.replicas[0]?.services.web?.restarts === 1 && seen.at(-1))
      await watcher.leave()
    })
  })

  it('has stopped, the kubelet: replicas of its node are unknown and not ready, until it is back', async ({ skip }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit }) => {
      await kit.provision({ replicas: 2 })
      const before = (await kit.processes()).map(({ processId }) => processId).sort()
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen[0])
      await cluster.signal('kubelet', 'SIGSTOP')
      try {
        await watcher.next((seen) => {
          const known = last(seen)?.replicas ?? []
          return known.length === 2 && known.every(({ ready }) => ready === undefined) && seen.at(-1)
        })
        expect((await kit.status()).replicas).toMatchObject({ there: 2, ready: 0 })
      } finally {
        await cluster.signal('kubelet', 'SIGCONT')
      }
      await watcher.next((seen) => {
        const known = last(seen)?.replicas ?? []
        return known.length === 2 && known.every(({ ready }) => ready === true) && seen.at(-1)
      })
      expect((await kit.processes()).map(({ processId }) => processId).sort()).toEqual(before)
      await watcher.leave()
    })
  })

  it('is late, the proxy: what is new is not there before its address leads to it', async ({ skip }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit, harness }) => {
      const ports = [{ name: 'http', port: 8080 }]
      const healthCheck = { http: { port: 'http', path: '/' } }
      const desired = kit.desired({ services: [kit.service({ listens: 'http' }, { ports, healthCheck })] })
      const pass = () => harness.engine.converge(desired, kit.call)
      await cluster.signal('proxy', 'SIGSTOP')
      try {
        await kit.eventually('it is ready, and not led to', async () => {
          const now = await pass()
          expect(now.state).toBe('yield')
          return now.state === 'yield' && /^the cluster to lead [\d.]+:8080 to it$/.test(now.reason)
        })
        expect((await kit.status()).replicas).toMatchObject({ ready: 1 })
      } finally {
        await cluster.signal('proxy', 'SIGCONT')
      }
      await kit.eventually('it is there', async () => (await pass()).state === 'done')
      const [at] = (await harness.engine.look(kit.ref(), kit.call))?.endpoints ?? []
      if (!at || 'unix' in at.dial) throw new Error('it has an address')
      expect((await fetch(`http://${at.dial.host}:${at.dial.port}/`)).status).toBe(200)
    })
  })

  it('is late, who tells the proxy: nobody is let in before it knows that they are ready', async ({ skip }) => {
    if (missing) return skip(missing)
    await onCluster(cluster, async ({ kit, harness }) => {
      const services = [kit.service({ listens: 'http' }, { ports: [{ name: 'http', port: 8080 }] })]
      for (const slot of ['a', 'b'] as const) await kit.provision({ services }, kit.ref('web', slot))
      const { slot: _, ...workload } = kit.ref()
      const share = () => harness.engine.traffic?.(workload, { a: 0, b: 100 }, kit.call)
      await cluster.signal('controllerManager', 'SIGSTOP')
      try {
        const slices = { resource: resources.endpointSlice }
        const { items } = await cluster.api.objects.list<KubeObject>(slices, ofSlotB, call)
        expect(items.length).toBeGreaterThan(0)
        for (const { metadata } of items) {
          const at = { ...slices, namespace: metadata.namespace ?? '', name: metadata.name }
          await cluster.api.objects.delete(at, {}, call)
        }
        const reason = 'the cluster to know that replicas of slot b are ready'
        expect(await share()).toMatchObject({ state: 'yield', reason })
        expect(await harness.trafficTo?.(workload)).toEqual(['a'])
      } finally {
        await cluster.signal('controllerManager', 'SIGCONT')
      }
      await kit.eventually('it is known', async () => (await share())?.state === 'done')
      await kit.eventually('it has all', async () => (await harness.trafficTo?.(workload))?.join() === 'b')
    })
  })
})
