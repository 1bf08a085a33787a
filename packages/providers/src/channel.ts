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
  return new Line<T>(onLeave)
}

/** What a reader that waits is told. */
type Waiter<T> = { readonly resolve: (next: IteratorResult<T>) => void; readonly reject: (error: unknown) => void }

/** By hand, and not as a generator: there is one for every process whose log is followed, and nearly all only wait. */
class Line<T> implements Channel<T>, AsyncIterableIterator<T> {
  readonly #onLeave: () => void
  #queued: T[] | undefined
  #head = 0
  #ended: { readonly error?: unknown; readonly failed: boolean } | undefined
  #hasLeft = false
  /** More than one only if somebody asks again before there was an answer. */
  #waiters: Waiter<T>[] | undefined

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
  }

  push(value: T): void {
    if (this.#ended) return
    const waiter = this.#waiters?.shift()
    if (waiter) {
      waiter.resolve({ done: false, value })
      return
    }
    this.#queued ??= []
    this.#queued.push(value)
  }

  close(): void {
    this.#end({ failed: false })
  }

  fail(error: unknown): void {
    this.#end({ error, failed: true })
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this
  }

  next(): Promise<IteratorResult<T>> {
    const queued = this.#queued
    if (queued) return Promise.resolve({ done: false, value: this.#take(queued) })
    return new Promise((resolve, reject) => {
      if (this.#ended) return this.#last({ resolve, reject })
      this.#waiters ??= []
      this.#waiters.push({ resolve, reject })
    })
  }

  async return(): Promise<IteratorResult<T>> {
    this.#ended = { failed: false }
    this.#queued = undefined
    this.#tellWaiters()
    this.#leave()
    return { done: true, value: undefined }
  }

  #take(queued: T[]): T {
    const value = queued[this.#head] as T
    this.#head += 1
    if (this.#head === queued.length) {
      this.#queued = undefined
      this.#head = 0
    } else if (this.#head === 1024) {
      // Forget what was read in large steps: shifting one by one is quadratic on a long queue.
      queued.splice(0, this.#head)
      this.#head = 0
    }
    return value
  }

  #end(how: { readonly error?: unknown; readonly failed: boolean }): void {
    if (this.#ended) return
    this.#ended = how
    this.#tellWaiters()
  }

  #tellWaiters(): void {
    for (const waiter of this.#waiters?.splice(0) ?? []) this.#last(waiter)
  }

  /** An error is thrown once; after it, as after the end, there is nothing more. */
  #last({ resolve, reject }: Waiter<T>): void {
    const ended = this.#ended
    this.#ended = { failed: false }
    if (ended?.failed) reject(ended.error)
    else resolve({ done: true, value: undefined })
    this.#leave()
  }

  #leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#onLeave()
  }
}

/** Ends the channel with the caller's reason when the signal aborts. Returns what takes the listener away again. */
export function failOnAbort<T>(to: Channel<T>, signal: AbortSignal): () => void {
  return onAbort(signal, () => to.fail(signal.reason))
}
