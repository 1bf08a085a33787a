/** What a log says about an error: for a fault also its private detail, which goes nowhere else. */
import { type FaultKind, isFault } from '@gantry/core'

export type DescribedError = Readonly<Record<string, unknown>>

/** A chain of causes may be a circle. */
const mostCauses = 5

export function describeError(error: unknown, causes = mostCauses): DescribedError {
  const more = causes > 0 ? causesOf(error, causes - 1) : {}
  if (isFault(error)) {
    const { kind, reason, message, detail, issues, retryAfterMs, stack } = error
    return {
      kind,
      reason,
      message,
      ...(detail === undefined ? {} : { detail }),
      ...(issues.length === 0 ? {} : { issues }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      // Where a refusal was made is of no interest; where a bug is, is.
      ...(kind === bug ? { stack } : {}),
      ...more,
    }
  }
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : `a thrown ${typeof error}` }
  const { name, message, stack } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name, message, ...code, stack, ...more }
}

const bug: FaultKind = 'internal'

function causesOf(error: unknown, causes: number): DescribedError {
  if (!(error instanceof Error)) return {}
  const { cause } = error
  const errors = error instanceof AggregateError ? error.errors.slice(0, mostCauses) : []
  return {
    ...(cause === undefined ? {} : { cause: describeError(cause, causes) }),
    ...(errors.length === 0 ? {} : { errors: errors.map((one) => describeError(one, causes)) }),
  }
}
