/** A fault that a server answered with, made into one again: `isFault(error, 'not_found')` holds on both sides. */
import { Fault, type FaultKind, type FaultReason, faultReasons, isFault } from '@gantry/core'
import type { Problem } from '../schemas/problem.ts'

export class RemoteFault extends Fault {
  /** By which the server's log can be searched. */
  readonly requestId: string | undefined
  /** The reason as the server said it, which may be one that this client does not know yet. */
  readonly sentReason: string

  constructor(problem: Problem, requestId: string | undefined) {
    const { retryAfterMs } = problem
    const issues = problem.issues.map(({ path, message, line }) => ({
      path,
      message,
      ...(line !== undefined && { line }),
    }))
    super(knownReason(problem), problem.detail, { issues, ...(retryAfterMs !== undefined && { retryAfterMs }) })
    this.requestId = problem.requestId ?? requestId
    this.sentReason = problem.reason
  }
}

/** The id of the request that failed, if the fault came from a server. */
export function requestIdOf(error: unknown): string | undefined {
  if (!isFault(error) || !('requestId' in error)) return undefined
  return typeof error.requestId === 'string' ? error.requestId : undefined
}

/** A reason decides the kind. Of one that only a newer server knows, the kind is kept at least. */
function knownReason({ kind, reason }: Problem): FaultReason {
  if (Object.hasOwn(faultReasons, reason) && faultReasons[reason as FaultReason] === kind) return reason as FaultReason
  return anyReason[kind]
}

const anyReason = {
  invalid: 'bad_request',
  unauthenticated: 'not_signed_in',
  forbidden: 'permission_denied',
  not_found: 'object_not_found',
  conflict: 'version_conflict',
  expired: 'version_expired',
  quota_exceeded: 'quota_exceeded',
  rate_limited: 'too_many_requests',
  unsupported: 'capability_missing',
  unavailable: 'store_unavailable',
  deadline: 'deadline_exceeded',
  internal: 'unexpected',
} as const satisfies Record<FaultKind, FaultReason>
