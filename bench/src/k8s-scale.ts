/** A whole server with a thousand workloads on one cluster: what it takes, and how late it tells what happens there. */
import { kubernetesPids } from '@gantry/engines'
import type { System } from '@gantry/server/testing'
import type { Bench, BenchContext } from './bench.ts'
import { type FakeKubelet, playKubelet } from './k8s/fake-kubelet.ts'
import { fake, openFakeNodes } from './k8s/fake-nodes.ts'
import { type Footprint, footprint } from './k8s/footprint.ts'
import { namespacePrefix, openCluster, openSystem, provider } from './k8s/stage.ts'
import { listen, percentile } from './k8s/staleness.ts'
import { limited, median, plain } from './rounds.ts'

const [few, many] = [250, 1_000]
const perSecond = 100
const windowMs = 12_000
const mostMb = 300
const mostMs = 1_000
/** What one costs must not grow with how many there are; half more is left to the machine. */
const mostGrowth = 1.5
const batch = 50

export const k8sScale: Bench = {
  name: 'k8s-scale',
  about:
    `The whole server (its API, controllers, SQLite; a process of its own) with ${few} and then ${many} workloads on one ` +
    `cluster, whose pods are on nodes that are nowhere: ${perSecond} of them a second get a new status, as kubelets would ` +
    'write it. What the server takes, how late its API tells of a restart after the cluster has taken it, and what one ' +
    'workload more and one restart cost it, with many against with few.',
  unit: 'as each case says',
  better: 'lower',
  async run(context) {
    const cluster = await openCluster(context)
    try {
      // Nobody is there whom they could do anything for, and two cores are few.
      const { proxy, kubelet, metricsServer } = await kubernetesPids(cluster.address)
      for (const pid of [proxy, kubelet, metricsServer]) process.kill(pid, 'SIGKILL')
      const forget = await openFakeNodes(cluster.api, 10, context)
      const { system, close } = await openSystem(cluster, context)
      const kubelets = await playKubelet(cluster.api, `${namespacePrefix}-default`, context)
      try {
        const small = await measure(system, kubelets, { from: 0, to: few }, context)
        const large = await measure(system, kubelets, { from: few, to: many }, context)
        const mb = (size: number) => `resident MB of the server, ${size} workloads`
        const ms = (size: number) => `ms until a restart is told, 99 of 100, ${size} workloads`
        const growth = (of: (figures: Measured) => number): number => of(large) / of(small)
        return [
          limited(mb(few), 'lower', small.residentMb, mostMb),
          limited(mb(many), 'lower', large.residentMb, mostMb),
          limited(`peak of it since its start, ${many} workloads`, 'lower', [large.peakMb], mostMb),
          limited(ms(few), 'lower', small.staleMs, mostMs),
          limited(ms(many), 'lower', large.staleMs, mostMs),
          limited('times the CPU of a new workload, with many', 'lower', [growth((each) => each.bringMs)], mostGrowth),
          limited('times the CPU of a restart, with many', 'lower', [growth(restartMs)], mostGrowth),
        ]
      } finally {
        kubelets.stop()
        forget()
        await close()
      }
    } finally {
      await cluster.close()
    }
  },
}

type Measured = {
  /** By window, as the next two. */
  readonly residentMb: readonly number[]
  readonly staleMs: readonly number[]
  /** CPU of the server for one restart. */
  readonly restartMs: readonly number[]
  readonly peakMb: number
  /** CPU of the server for one workload, from its apply until it is ready. */
  readonly bringMs: number
}

const restartMs = ({ restartMs: figures }: Measured): number => median(figures)

async function measure(
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
      if (readyReplicas === 1 && is('Ready') === 'True' && is('Progressing') === 'False')
        left.delete(change.object.metadata.name)
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
