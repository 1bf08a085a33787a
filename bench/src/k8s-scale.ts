/**
 * A whole server with a thousand workloads on one cluster: what it takes, and how late it tells what happens there.
 *
 * Pods are on nodes that are nowhere; a process of its own plays their kubelets. A restart is told late by as much as lies
 * between the API server's answer to the status, in that process, and the word of our server's API, here: the watch of the
 * cluster, our pass, the store, and the watch of our API. All of them, with the cluster, share the machine; how long our
 * server was on a core, waited for one, and how late its event loop was, say whether a figure is its own or the machine's.
 * Nodes that are nowhere have no logs: that they cannot be read is tried again and again, but 1,000 open logs are not in it.
 */
import type { Bench } from './bench.ts'
import { type Measured, measure, perSecond, type Window } from './k8s/crowd.ts'
import { endParts } from './k8s/end-parts.ts'
import { startKubelets } from './k8s/kubelets.ts'
import { namespacePrefix, openCluster, openSystem } from './k8s/stage.ts'
import { limited, median } from './rounds.ts'

const [few, many] = [250, 1_000]
const mostMb = 300
const mostMs = 1_000
/** With less of it written it is another load than the one that is asked for. */
const leastLoad = 0.95
/** What one costs must not grow with how many there are; half more is left to the machine. */
const mostGrowth = 1.5

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
      await endParts(cluster.address, ['proxy', 'kubelet', 'metricsServer'])
      const { kubeconfig } = cluster.address
      const kubelets = await startKubelets(kubeconfig, `${namespacePrefix}-default`, context)
      try {
        const { system, close } = await openSystem(cluster, context)
        try {
          const small = await measure(system, kubelets, { from: 0, to: few }, context)
          const large = await measure(system, kubelets, { from: few, to: many }, context)
          return [...rowsOf(few, small), ...rowsOf(many, large), ...growthOf(small, large)]
        } finally {
          await close()
        }
      } finally {
        await kubelets.stop()
      }
    } finally {
      await cluster.close()
    }
  },
}

function rowsOf(size: number, { windows, restMb, peakMb }: Measured) {
  const row = (title: string, of: (window: Window) => number, limit: number) =>
    limited(`${title}, ${size} workloads`, 'lower', windows.map(of), limit)
  return [
    limited(`MB resident at rest, ${size} workloads`, 'lower', [restMb], mostMb),
    row('MB resident under patches', ({ residentMb }) => residentMb, mostMb),
    limited(`MB resident at most, ${size} workloads`, 'lower', [peakMb], mostMb),
    row('ms until a restart is told, 99 of 100', ({ staleMs }) => staleMs, mostMs),
    row('ms that its event loop was late, 99 of 100', ({ loopMs }) => loopMs, mostMs),
    limited(
      `patches that were written a second, ${size} workloads`,
      'higher',
      windows.map(({ patchesPerSecond }) => patchesPerSecond),
      leastLoad * perSecond,
    ),
    row('% of a core that it had', ({ busyPercent }) => busyPercent, 100),
    row('% of the time that it waited for one', ({ waitedPercent }) => waitedPercent, 100),
  ]
}

function growthOf(small: Measured, large: Measured) {
  const times = (of: (figures: Measured) => number): number[] => [of(large) / of(small)]
  const restart = ({ windows }: Measured): number => median(windows.map(({ restartMs }) => restartMs))
  return [
    limited(
      'times the CPU of a new workload, with many',
      'lower',
      times(({ bringMs }) => bringMs),
      mostGrowth,
    ),
    limited('times the CPU of a restart, with many', 'lower', times(restart), mostGrowth),
  ]
}
