/** Many workloads on one cluster, brought up, restarted all the time, and what that takes of the server that tends them. */
import type { System } from '@gantry/server/testing'
import type { BenchContext } from '../bench.ts'
import { plain } from '../rounds.ts'
import type { FakeKubelet } from './fake-kubelet.ts'
import { fake } from './fake-nodes.ts'
import { type Footprint, footprint } from './footprint.ts'
import { provider } from './stage.ts'
import { listen, percentile } from './staleness.ts'

export const perSecond = 100
const windowMs = 12_000
const batch = 50

/** What a server with so many workloads takes. */
export type Measured = {
  /** By window, as the next two. */
  readonly residentMb: readonly number[]
  readonly staleMs: readonly number[]
  /** CPU of the server for one restart. */
  readonly restartMs: readonly number[]
  readonly peakMb: number
  /** CPU of the server for one workload, from its apply until it is ready. */
  readonly bringMs: number
}

export async function measure(
  system: System,
  kubelets: FakeKubelet,
  { from, to }: { readonly from: number; readonly to: number },
  context: BenchContext,
): Promise<Measured> {
  const taken = (): Promise<Footprint> => footprint(system.pid ?? 0)
  const before = await taken()
  const begun = performance.now()
  await bringUp(system, from, to, context)
  const ready = await taken()
  const bringMs = (ready.cpuMs - before.cpuMs) / (to - from)
  const seconds = plain((performance.now() - begun) / 1000)
  context.say(`${to} workloads are ready after ${seconds} s; ${plain(bringMs)} ms of the server's CPU each`)
  const listening = await listen(system, kubelets, context)
  const windows: { residentMb: number; staleMs: number; restartMs: number }[] = []
  try {
    for (let round = -1; round < context.rounds; round += 1) {
      const first = await taken()
      const figures = await listening.patchFor(windowMs, perSecond)
      const last = await taken()
      const cost = (last.cpuMs - first.cpuMs) / figures.length
      const [half, worst] = [percentile(figures, 0.5), percentile(figures, 0.99)]
      const said = `${plain(half)} ms in the middle, ${plain(worst)} of 99 in 100`
      context.say(
        `round ${round + 1} of ${context.rounds}: ${said}; ${plain(last.residentMb)} MB, ${plain(cost)} ms CPU`,
      )
      if (round >= 0) windows.push({ residentMb: last.residentMb, staleMs: worst, restartMs: cost })
    }
  } finally {
    listening.stop()
  }
  return {
    residentMb: windows.map((each) => each.residentMb),
    staleMs: windows.map((each) => each.staleMs),
    restartMs: windows.map((each) => each.restartMs),
    peakMb: (await taken()).peakMb,
    bringMs,
  }
}

async function bringUp({ client }: System, from: number, to: number, context: BenchContext): Promise<void> {
  const { signal } = context
  const tenant = client.tenant('default')
  const names = Array.from({ length: to - from }, (_, at) => `web-${from + at}`)
  const left = new Set(names)
  const apply = (at: number) => tenant.apply(names.slice(at, at + batch).map(workload), { signal })
  const { resourceVersion: since } = await apply(0)
  const ready = (async () => {
    for await (const change of tenant.workloads.watch({ since, signal })) {
      if (change.type !== 'put') continue
      const { conditions = [], readyReplicas } = change.object.status
      const is = (type: string) => conditions.find((condition) => condition.type === type)?.status
      if (readyReplicas !== 1 || is('Ready') !== 'True' || is('Progressing') !== 'False') continue
      if (!left.delete(change.object.metadata.name)) continue
      if (left.size === 0) return
      if (left.size % 100 === 0) context.say(`${left.size} are not ready yet`)
    }
  })()
  ready.catch(() => undefined)
  for (let at = batch; at < names.length; at += batch) await apply(at)
  await ready
}

function workload(name: string) {
  return {
    apiVersion: 'gantry/v1' as const,
    kind: 'Workload' as const,
    metadata: { name },
    spec: {
      provider,
      services: [{ name: 'web', image: 'nothing:1', ports: [{ name: 'http', port: 8080 }] }],
      restart: { policy: 'always' as const, maxPerHour: 3600 },
      strategy: { minReadySeconds: 0 },
      engine: {
        kubernetes: {
          nodeSelector: { [fake.key]: fake.value },
          tolerations: [{ ...fake, operator: 'Equal' as const }],
        },
      },
    },
  }
}
