/** An endless wait becomes a visible fault. It is still looked at, slowly, and recovers when what it waits for comes. */
import { Fault, isFault } from '@gantry/core'
import { leavesOf, type Result } from './result.ts'

export type Waited = {
  /** How long the key has been waiting without a break, before this pass. */
  readonly waitedMs: number
  /** How long it may. */
  readonly stuckAfterMs: number
}

export function asStuck(result: Result, { waitedMs, stuckAfterMs }: Waited): Result {
  if (result.state !== 'yield') return result
  const allowedMs = result.stuckAfterMs ?? stuckAfterMs
  if (waitedMs < allowedMs) return result
  const where = result.path === '' ? '' : ` at ${result.path}`
  const message =
    `Still waiting for ${result.reason}${where} after ${Math.round(waitedMs / 1000)} s; ` +
    `${Math.round(allowedMs / 1000)} s were allowed. It is looked at again, but something else has to change.`
  const { references } = result
  return {
    state: 'transient',
    path: result.path,
    fault: new Fault('stuck', message),
    parts: leavesOf(result),
    ...(references ? { references } : {}),
  }
}

export function isStuck(result: Result): boolean {
  return result.state === 'transient' && isFault(result.fault) && result.fault.reason === 'stuck'
}
