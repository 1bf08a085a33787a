/** What a controller calls for a key. */
import type { Call, ObjectKey } from '@gantry/core'
import type { Result } from '../results/result.ts'
import type { Waited } from '../results/stuck.ts'

/** One run of one key. The signal ends with the deadline of the run, the loss of the shard or the stop of the process. */
export type Run = Call &
  Waited & {
    /** Store writes carry it, so that a holder who lost the shard cannot write. 0 where one process owns everything. */
    readonly fence: bigint
  }

/**
 * Re-reads what is wanted, looks at what is, and makes one step or one pass of steps. Never sleeps or polls inside: it
 * yields and is called again. What it throws counts as a fault; nothing it does takes the process down.
 */
export type Reconcile = (key: ObjectKey, run: Run) => Promise<Result>
