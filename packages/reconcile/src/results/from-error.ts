/** Turns what was thrown into a result: again, or not until something changes. */
import { asFault, isFault, isRetryable } from '@gantry/core'
import type { Permanent, Transient } from './result.ts'

export function failed(path: string, error: unknown): Transient | Permanent {
  const fault = asFault(error)
  return { state: isRetryable(fault) ? 'transient' : 'permanent', path, fault }
}

/** For a failure to look: `unavailable` and `deadline` mean that nothing was learnt; other faults are answers. */
export function couldNotLook(path: string, error: unknown): Transient | Permanent {
  const result = failed(path, error)
  const blind = isFault(error, 'unavailable') || isFault(error, 'deadline')
  return result.state === 'transient' && blind ? { ...result, blind } : result
}
