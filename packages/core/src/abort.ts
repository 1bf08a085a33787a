/** Waiting that can be given up: every wait has a deadline with its own cause, and an abort rethrows its caller's reason. */
import type { Clock } from './clock.ts'
import { Fault } from './fault.ts'

/** Every async method takes one of these last. */
export type Call = { readonly signal: AbortSignal }

/** Resolves after `ms`, or rejects with the reason the signal was aborted with. Leaves no listener and no timer behind. */
export function sleep(clock: Clock, ms: number, { signal }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    function abort(): void {
      cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
  })
}

/** Waits for `promise`, but no longer than the signal lets it; the work behind it is not stopped by this. */
export function orAbort<T>(promise: Promise<T>, { signal }: Call): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    // Listened to also when nobody waits any more: a failure that comes late must not be one that nobody handles.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

export type Deadline = {
  readonly signal: AbortSignal
  /** True once it was the deadline, and not the caller, that ended the work. */
  readonly passed: () => boolean
  /** Gives the timer back; to be called in `finally`. */
  readonly clear: () => void
}

/**
 * A signal that ends with the caller's, or with a `deadline` fault saying what took too long, whichever is first. Not made
 * by `AbortSignal.any`, which leaves a trace on a long-lived signal for every short piece of work.
 */
export function withDeadline(clock: Clock, ms: number, what: string, { signal }: Call): Deadline {
  const own = new AbortController()
  let late = false
  const cancel = clock.after(ms, () => {
    late = true
    end(new Fault('deadline_exceeded', `${what} took longer than ${ms} ms`))
  })
  const abort = (): void => end(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { signal: own.signal, passed: () => late, clear }

  function clear(): void {
    cancel()
    signal.removeEventListener('abort', abort)
  }

  function end(reason: unknown): void {
    clear()
    own.abort(reason)
  }
}
