/** A queue with a writer on one side and `for await` on the other: how events, lines and bytes leave an engine. */
import { onAbort } from '@gantry/core'

export type Channel<T> = AsyncIterable<T> & {
  /** Whoever writes after the end writes into nothing. */
  push(value: T): void
  /** What was pushed is still read, then it ends. */
  close(): void
  /** What was pushed is still read, then it throws. */
  fail(error: unknown): void
}

/** For one reader. `onLeave` runs once, when the reader is through or walks away. */
export function channel<T>(onLeave: () => void = () => undefined): Channel<T> {
  const waiting: T[] = []
  let head = 0
  let ended: { readonly error?: unknown; readonly failed: boolean } | undefined
  let wake: (() => void) | undefined

  const end = (how: { readonly error?: unknown; readonly failed: boolean }): void => {
    ended ??= how
    wake?.()
  }
  return {
    push(value) {
      if (ended) return
      waiting.push(value)
      wake?.()
    },
    close: () => end({ failed: false }),
    fail: (error) => end({ error, failed: true }),
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          while (head < waiting.length) {
            const value = waiting[head] as T
            head += 1
            // Forget what was read in large steps: shifting one by one is quadratic on a long queue.
            if (head === 1024) {
              waiting.splice(0, head)
              head = 0
            }
            yield value
          }
          if (ended?.failed) throw ended.error
          if (ended) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          wake = undefined
        }
      } finally {
        ended ??= { failed: false }
        onLeave()
      }
    },
  }
}

/** Ends the channel with the caller's reason when the signal aborts. Returns what takes the listener away again. */
export function failOnAbort<T>(to: Channel<T>, signal: AbortSignal): () => void {
  return onAbort(signal, () => to.fail(signal.reason))
}
