/** As little as can converge: how that grows with the number of objects. */
import { growth } from './growth/growth.ts'

export const converge = growth({
  name: 'converge',
  about:
    'Objects of a test kind through store, change feed, controller and simulated engine from nothing to all ready, ' +
    'on the real clock, a process per round. Its peer is itself: ten times the objects may cost eleven times the time.',
  child: new URL('./converge/child.js', import.meta.url),
  what: 'objects',
  mostSeconds: 60,
  mostMegabytes: 400,
})
