/**
 * Listening for the end of a signal, by any number of waits at once. A server's stop signal is waited on by thousands of
 * short pieces of work: each would be a listener of its own, which runtimes warn of and walk one by one. Here a signal has
 * one listener for as long as anybody waits, and `AbortSignal.any`, which leaves a trace behind for every use, is not needed.
 */
type Waiting = { readonly tasks: Set<() => void>; readonly fire: () => void }

const waiting = new WeakMap<AbortSignal, Waiting>()

/** Runs `task` once when the signal ends, at once if it has. Returns how to take it back; twice is harmless. */
export function onAbort(signal: AbortSignal, task: () => void): () => void {
  if (signal.aborted) {
    task()
    return () => undefined
  }
  const { tasks } = waiting.get(signal) ?? listen(signal)
  // A function may be given twice; each time counts.
  const own = (): void => task()
  tasks.add(own)
  return () => {
    if (tasks.delete(own) && tasks.size === 0) unlisten(signal)
  }
}

function listen(signal: AbortSignal): Waiting {
  const tasks = new Set<() => void>()
  const fire = (): void => {
    waiting.delete(signal)
    // A task may take another one back, which is then not told.
    for (const task of tasks) {
      tasks.delete(task)
      task()
    }
  }
  signal.addEventListener('abort', fire, { once: true })
  const entry = { tasks, fire }
  waiting.set(signal, entry)
  return entry
}

function unlisten(signal: AbortSignal): void {
  const entry = waiting.get(signal)
  if (!entry) return
  waiting.delete(signal)
  signal.removeEventListener('abort', entry.fire)
}

export type Joined = {
  readonly signal: AbortSignal
  /** Stops following; to be called in `finally`, or the signals that are followed hold on to it. */
  readonly clear: () => void
}

/** A signal that ends with the first of several, for its reason. */
export function joinSignals(...signals: readonly AbortSignal[]): Joined {
  const own = new AbortController()
  const leave: (() => void)[] = []
  const clear = (): void => {
    for (const each of leave.splice(0)) each()
  }
  for (const signal of signals) {
    if (own.signal.aborted) break
    leave.push(
      onAbort(signal, () => {
        clear()
        own.abort(signal.reason)
      }),
    )
  }
  return { signal: own.signal, clear }
}
