/**
 * The one fault taxonomy. A fault has a kind (what a program does about it), a reason (which of the known causes), a
 * message that may be shown to anyone and a detail that goes to the log only. Skip and yield are results, not faults.
 */
import { type FaultReason, faultReasons } from './fault-reasons.ts'

export type FaultKind = keyof typeof faultMeaning

/** What each kind means to the API, to the work queue and to the shell: decided once, here. */
export const faultMeaning = {
  invalid: { status: 400, retry: false, exit: 2 },
  unauthenticated: { status: 401, retry: false, exit: 3 },
  forbidden: { status: 403, retry: false, exit: 4 },
  not_found: { status: 404, retry: false, exit: 5 },
  conflict: { status: 409, retry: true, exit: 6 },
  expired: { status: 410, retry: true, exit: 7 },
  quota_exceeded: { status: 403, retry: false, exit: 8 },
  rate_limited: { status: 429, retry: true, exit: 9 },
  unsupported: { status: 422, retry: false, exit: 10 },
  unavailable: { status: 503, retry: true, exit: 11 },
  deadline: { status: 504, retry: true, exit: 12 },
  internal: { status: 500, retry: true, exit: 1 },
} as const satisfies Record<string, { status: number; retry: boolean; exit: number }>

/** One thing that is wrong, and where. Paths are written as a user reads them: `spec.services[0].ports[1].name`. */
export type Issue = { readonly path: string; readonly message: string }

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
  readonly detail: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(reason: FaultReason, message: string, more: FaultMore = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.kind = faultReasons[reason]
    this.reason = reason
    this.issues = more.issues ?? []
    this.detail = more.detail
    this.retryAfterMs = more.retryAfterMs
    Object.defineProperty(this, brand, { value: true })
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
