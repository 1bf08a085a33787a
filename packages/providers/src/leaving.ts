/**
 * The way out of a replica, where others have a say: routed out, acknowledged by the edge, nothing in flight or grace over,
 * stopped, logs read to their end, removed. Both are asked again at every pass until they are done, and again from the
 * start after a restart; so nothing has to be remembered for them.
 */
import type { Call } from '@gantry/core'
import type { Replica } from './observed.ts'
import { done, type Pass } from './pass.ts'
import type { Ref } from './ref.ts'

export interface Leaving {
  /** Before a replica is stopped: done when no new request can reach it and none is in flight, or `graceMs` is over. */
  routedOut(ref: Ref, replica: Replica, graceMs: number, call: Call): Promise<Pass>
  /** Before what is left of a stopped replica is removed: done when its logs are kept elsewhere. */
  logsKept(ref: Ref, replica: Replica, call: Call): Promise<Pass>
}

/** For where nobody routes and nobody keeps: tests, benchmarks, an engine on its own. */
export const leaveAtOnce: Leaving = {
  routedOut: async () => done,
  logsKept: async () => done,
}
