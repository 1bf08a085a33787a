/** A whole server with a thousand workloads on one cluster: what it takes, and how late it tells what happens there. */
import type { Bench } from './bench.ts'
import { type Measured, measure, perSecond } from './k8s/crowd.ts'
import { endParts } from './k8s/end-parts.ts'
import { playKubelet } from './k8s/fake-kubelet.ts'
import { openFakeNodes } from './k8s/fake-nodes.ts'
import { namespacePrefix, openCluster, openSystem } from './k8s/stage.ts'
import { limited, median } from './rounds.ts'

const [few, many] = [250, 1_000]
const mostMb = 300
const mostMs = 1_000
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
          limited(
            'times the CPU of a restart, with many',
            'lower',
            [growth((each) => median(each.restartMs))],
            mostGrowth,
          ),
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
