/** What routes are made from. */
import type { Readiness } from '@gantry/api'
import type { Call, Clock } from '@gantry/core'
import type { Log } from '../app/log.ts'
import type { EngineSteps } from '../apply/engine-steps.ts'
import type { ObservedFingerprint } from '../apply/observed.ts'
import type { StatusKeeping } from '../objects/status-keeping.ts'
import type { WriteDeps } from '../objects/write.ts'

export type RouteDeps = WriteDeps & {
  readonly clock: Clock
  /** What runs, as far as a plan is made from it. */
  readonly observed: ObservedFingerprint
  /** What engines would do, as a plan tells it. */
  readonly engineSteps: EngineSteps
  /** What could not be kept of what was seen. */
  readonly keeping: StatusKeeping
  readonly log: Log
  /** How long the reader of a file may leave what was sent unread. */
  readonly stalledMs: number
  readonly version: string
  /** Where the edge listens, if there is one. */
  readonly edge: string | undefined
  /** Looks at every part, and says which is not ready. */
  readonly ready: (call: Call) => Promise<Readiness>
}
