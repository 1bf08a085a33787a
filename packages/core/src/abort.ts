/** Waiting that can be given up: every wait has a deadline with its own cause, and an abort rethrows its caller's reason. */
import type { Clock } from './clock.ts'
import { Fault } from './fault.ts'
import { onAbort } from './on-abort.ts'

/** Every async method takes one of these last. */
export type Call = { readonly signal: AbortSignal }

/** Resolves after `ms`, or rejects with the reason the signal was aborted with. Leaves no listener and no timer behind. */
export function sleep(clock: Clock, ms: number, { signal }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const cancel = clock.after(ms, () => {
      leave()
      resolve()
    })
    const leave = onAbort(signal, () => {
      cancel()
      reject(signal.reason)
    })
  })
}

/** Waits for `promise`, but no longer than the signal lets it; the work behind it is not stopped by this. */
export function orAbort<T>(promise: Promise<T>, { signal }: Call): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    // Listened to also when nobody waits any more: a failure that comes late must not be one that nobody handles.
    promise.then(resolve, reject).finally(leave)
  })
}

export type Deadline = {
  readonly signal: AbortSignal
  /** True once it was the deadline, and not the caller, that ended the work. */
  readonly passed: () => boolean
  /** Ends the signal now, for a reason of somebody else's. */
  readonly end: (reason: unknown) => void
  /** Gives the timer back; to be called in `finally`. */
  readonly clear: () => void
}

/**
 * A signal that ends with the caller's, or with a `deadline` fault saying what took too long, whichever is first. Not made
 * by `AbortSignal.any`, for the reason that `on-abort.ts` has.
 */
export function withDeadline(clock: Clock, ms: number, what: string, { signal }: Call): Deadline {
  const own = new AbortController()
  let late = false
  const cancel = clock.after(ms, () => {
    late = true
    end(new Fault('deadline_exceeded', `${what} took longer than ${ms} ms`))
  })
  let leave = (): void => undefined
  leave = onAbort(signal, () => end(signal.reason))
  return { signal: own.signal, passed: () => late, end, clear }

  function clear(): void {
    cancel()
    leave()
  }

  function end(reason: unknown): void {
    clear()
    own.abort(reason)
  }
}
