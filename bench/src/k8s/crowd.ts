/** Many workloads on one cluster, brought up, restarted all the time, and what that takes of the server that tends them. */
import type { System } from '@gantry/server/testing'
import type { BenchContext } from '../bench.ts'
import { plain } from '../rounds.ts'
import { fake } from './fake-nodes.ts'
import { footprint } from './footprint.ts'
import type { Kubelets } from './kubelets.ts'
import { provider } from './stage.ts'
import { listen, percentile } from './staleness.ts'

export const perSecond = 100
const windowMs = 10_000
const batch = 50
/** How long it is left alone before what it takes at rest is looked at: it tidies up when it has rested for a while. */
const restMs = 25_000

/** What a server takes while statuses are written, in one window. */
export type Window = {
  /** As many as were asked for, unless the machine did not get to it. */
  readonly patchesPerSecond: number
  readonly residentMb: number
  /** How late 99 of 100 restarts were told, at most. */
  readonly staleMs: number
  readonly halfStaleMs: number
  /** CPU of the server for one restart. */
  readonly restartMs: number
  /** Of the time: that it had a core, and that it would have needed one that others had. */
  readonly busyPercent: number
  readonly waitedPercent: number
  /** How late its event loop was, 99 of 100 times at most. */
  readonly loopMs: number
}

export type Measured = {
  readonly windows: readonly Window[]
  readonly restMb: number
  readonly peakMb: number
  /** CPU of the server for one workload, from its apply until it is ready. */
  readonly bringMs: number
  readonly bringSeconds: number
}

export async function measure(
  system: System,
  kubelets: Kubelets,
  { from, to }: { readonly from: number; readonly to: number },
  context: BenchContext,
): Promise<Measured> {
  const taken = () => footprint(system.pid ?? 0)
  const before = await taken()
  const begun = performance.now()
  await bringUp(system, from, to, context)
  const ready = await taken()
  const bringMs = (ready.cpuMs - before.cpuMs) / (to - from)
  const bringSeconds = (performance.now() - begun) / 1000
  context.say(`${to} workloads are ready after ${plain(bringSeconds)} s; ${plain(bringMs)} ms of the server's CPU each`)
  await new Promise((resolve) => setTimeout(resolve, restMs))
  const { residentMb: restMb } = await taken()
  const listening = await listen(system, context)
  const windows: Window[] = []
  try {
    for (let round = -1; round < context.rounds; round += 1) {
      const window = await oneWindow()
      context.say(`round ${round + 1} of ${context.rounds}: ${inWords(window)}`)
      if (round >= 0) windows.push(window)
    }
  } finally {
    listening.stop()
  }
  return { windows, restMb, peakMb: (await taken()).peakMb, bringMs, bringSeconds }

  async function oneWindow(): Promise<Window> {
    await loopMsOf(system, context)
    const first = await taken()
    const at = performance.now()
    const patched = await kubelets.patch({ forMs: windowMs, perSecond }, context)
    const { restarted } = patched
    const lateness = await listening.latenessOf(restarted)
    const last = await taken()
    const tookMs = performance.now() - at
    return {
      patchesPerSecond: (1000 * restarted.length) / Math.max(windowMs, patched.tookMs),
      residentMb: last.residentMb,
      staleMs: percentile(lateness, 0.99),
      halfStaleMs: percentile(lateness, 0.5),
      restartMs: (last.cpuMs - first.cpuMs) / restarted.length,
      busyPercent: (100 * (last.cpuMs - first.cpuMs)) / tookMs,
      waitedPercent: (100 * (last.waitedMs - first.waitedMs)) / tookMs,
      loopMs: await loopMsOf(system, context),
    }
  }
}

const inWords = (window: Window): string =>
  `${plain(window.patchesPerSecond)} a second told after ${plain(window.halfStaleMs)} ms, 99 of 100 within ${plain(window.staleMs)}; ${plain(window.residentMb)} MB, ` +
  `${plain(window.restartMs)} ms CPU each; on a core for ${plain(window.busyPercent)}% of the time, waiting for one for ` +
  `${plain(window.waitedPercent)}%; event loop late by ${plain(window.loopMs)} ms, 99 of 100`

/** Since it was last asked, as the server says it of itself. */
async function loopMsOf({ client }: System, { signal }: BenchContext): Promise<number> {
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await client.metrics({ signal }))
  return Number(found?.[1]) * 1000
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
      // By its digest, so that nobody asks a registry that is nowhere either.
      services: [{ name: 'web', image: `nothing@sha256:${'0'.repeat(64)}`, ports: [{ name: 'http', port: 8080 }] }],
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
