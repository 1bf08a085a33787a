/**
 * The one fault taxonomy. A fault has a kind (what a program does about it), a reason (which of the known causes), a
 * message that may be shown to anyone and a detail that goes to the log only. Skip and yield are results, not faults.
 */
import { type FaultReason, faultReasons } from './fault-reasons.ts'

export type FaultKind = keyof typeof faultMeaning

/** What each kind means to the API, to the work queue and to the shell: decided once, here. */
export const faultMeaning = {
  invalid: { status: 400, retry: false, exit: 2, title: 'The request is not valid' },
  unauthenticated: { status: 401, retry: false, exit: 3, title: 'Nobody is signed in' },
  forbidden: { status: 403, retry: false, exit: 4, title: 'This is not allowed' },
  not_found: { status: 404, retry: false, exit: 5, title: 'There is no such thing' },
  conflict: { status: 409, retry: true, exit: 6, title: 'This does not fit what is there' },
  expired: { status: 410, retry: true, exit: 7, title: 'This is too old' },
  quota_exceeded: { status: 403, retry: false, exit: 8, title: 'The quota is used up' },
  rate_limited: { status: 429, retry: true, exit: 9, title: 'This was asked for too often' },
  unsupported: { status: 422, retry: false, exit: 10, title: 'This cannot be done here' },
  unavailable: { status: 503, retry: true, exit: 11, title: 'This cannot be reached now' },
  deadline: { status: 504, retry: true, exit: 12, title: 'This took too long' },
  internal: { status: 500, retry: true, exit: 1, title: 'Something went wrong inside Gantry' },
} as const satisfies Record<string, { status: number; retry: boolean; exit: number; title: string }>

/** One thing that is wrong, and where. Paths are written as a user reads them: `spec.services[0].ports[1].name`. */
export type Issue = {
  readonly path: string
  readonly message: string
  /** Where it came from a file. */
  readonly line?: number
  /** Which one, where there are several. */
  readonly file?: string
}

export type FaultMore = {
  /** Every offending field at once. */
  readonly issues?: readonly Issue[]
  /** For the log only: never shown to a user, never sent over the API. */
  readonly detail?: string
  readonly cause?: unknown
  /** How long to wait before the next try, where the one who refused said so. */
  readonly retryAfterMs?: number
}

/** Two installed copies of this package agree on this symbol, where `instanceof` would not. */
const brand = Symbol.for('gantry.dev/fault')

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly reason: FaultReason
  readonly issues: readonly Issue[]
  /** Not enumerable, so that no copy, log line or answer carries it by accident. */
  declare readonly detail: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(reason: FaultReason, message: string, more: FaultMore = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.kind = faultReasons[reason]
    this.reason = reason
    this.issues = more.issues ?? []
    this.retryAfterMs = more.retryAfterMs
    Object.defineProperty(this, 'detail', { value: more.detail })
    Object.defineProperty(this, brand, { value: true })
  }

  toJSON(): PublicFault {
    return publicFault(this)
  }
}

/** What anyone may see of a fault: the body of an RFC 9457 answer, but for the id of the request. */
export type PublicFault = {
  readonly type: string
  readonly title: string
  readonly status: number
  /** The public message; the private detail of a fault is another field and never here. */
  readonly detail: string
  readonly kind: FaultKind
  readonly reason: FaultReason
  readonly issues: readonly Issue[]
  readonly retryAfterMs?: number
}

export function publicFault(fault: Fault): PublicFault {
  const { kind, reason, message, retryAfterMs } = fault
  const issues = fault.issues.map(({ path, message, line }) => ({ path, message, ...(line !== undefined && { line }) }))
  return {
    type: `urn:gantry:fault:${reason}`,
    title: faultMeaning[kind].title,
    status: faultMeaning[kind].status,
    detail: message,
    kind,
    reason,
    issues,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** Recognises a fault, also one made by another copy of this package; never looks at text. */
export function isFault(error: unknown, kind?: FaultKind): error is Fault {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false
  return kind === undefined || (error as { kind?: unknown }).kind === kind
}

/** Whether the queue should try again by itself. What is not a fault is a bug of ours: `internal`, tried again. */
export function isRetryable(error: unknown): boolean {
  return isFault(error) ? faultMeaning[error.kind].retry : faultMeaning.internal.retry
}

/** Any thrown value as a fault; what was not one becomes `internal`, with the original kept for the log. */
export function asFault(error: unknown): Fault {
  if (isFault(error)) return error
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Fault('unexpected', 'Something went wrong inside Gantry', { detail, cause: error })
}
