/** One run of one key: with a deadline, and never throwing. */
import { type Clock, type ObjectKey, withDeadline } from '@gantry/core'
import { failed } from '../results/from-error.ts'
import type { Result } from '../results/result.ts'
import { asStuck } from '../results/stuck.ts'
import type { Reconcile, Run } from './reconcile.ts'

export type RunOptions = {
  readonly clock: Clock
  readonly what: string
  readonly deadlineMs: number
  readonly reconcile: Reconcile
}

/** `undefined`: the caller ended the run, so there is nothing to conclude from it. */
export async function runOnce(options: RunOptions, key: ObjectKey, run: Run): Promise<Result | undefined> {
  const deadline = withDeadline(options.clock, options.deadlineMs, options.what, run)
  try {
    const result = await options.reconcile(key, { ...run, signal: deadline.signal })
    return asStuck(result, run)
  } catch (error) {
    if (run.signal.aborted) return undefined
    return failed('', deadline.passed() ? deadline.signal.reason : error)
  } finally {
    deadline.clear()
  }
}
