/** With everything that a server has: how convergence grows with the number of workloads. */
import { growth } from './growth/growth.ts'

export const convergeWorkloads = growth({
  name: 'converge-workloads',
  about:
    'Workloads of one service and one replica on the simulated engine, in a whole control plane with all its controllers ' +
    'and a database on disk, from nothing to all ready and settled; on the real clock, a process per round. Its peer is ' +
    'itself: ten times the workloads may cost eleven times the time.',
  child: new URL('./converge-workloads/child.js', import.meta.url),
  what: 'workloads',
  mostSeconds: 120,
  mostMegabytes: 600,
})
