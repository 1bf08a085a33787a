/** Lines of a watch as events: split on raw bytes, and read no further than the reader follows. */
import { type Call, type Clock, onAbort } from '@gantry/core'
import type { BodyStream } from './http1/body-stream.ts'
import { LineSplitter } from './line-splitter.ts'

export type WatchSource = {
  readonly body: BodyStream
  readonly clock: Clock
  /** After so long without a word it is ended, so that the next question shows whether anybody is still there. */
  readonly silenceMs: number
  readonly broken: (cause: unknown) => Error
}

/** So much may wait for a slow reader, in bytes; then the server waits. */
const mostWaiting = 4 * 1024 * 1024

type Waiter<T> = { readonly resolve: (next: IteratorResult<T>) => void; readonly reject: (error: unknown) => void }

/**
 * By hand, and not as a generator over the stream: what arrives is with its reader in the same turn, and there is one of these
 * for every kind of every cluster. For one reader. `read` may throw, which ends it.
 */
export class WatchStream<T> implements AsyncIterableIterator<T> {
  readonly #source: WatchSource
  readonly #read: (line: Buffer) => T | undefined
  readonly #leave: () => void
  readonly #lines = new LineSplitter()
  #queued: Buffer[] = []
  #head = 0
  #bytes = 0
  #isPaused = false
  #waiter: Waiter<T> | undefined
  #ended: { readonly error?: unknown } | undefined
  #heardAt: number
  #cancelTimer: () => void = () => undefined

  constructor(source: WatchSource, read: (line: Buffer) => T | undefined, { signal }: Call) {
    this.#source = source
    this.#read = read
    this.#heardAt = source.clock.monotonic()
    const { body, broken } = source
    this.#leave = onAbort(signal, () => this.#end({ error: signal.reason }))
    body.read({
      data: (chunk) => this.#take(chunk),
      end: () => this.#end({}),
      fail: (cause) => this.#end({ error: broken(cause) }),
    })
    if (!this.#ended) this.#arm()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this
  }

  next(): Promise<IteratorResult<T>> {
    try {
      const value = this.#shift()
      if (value !== undefined) return Promise.resolve({ done: false, value })
    } catch (error) {
      this.#forget()
      this.#end({})
      return Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      if (this.#ended) this.#last({ resolve, reject }, this.#ended)
      else this.#waiter = { resolve, reject }
    })
  }

  async return(): Promise<IteratorResult<T>> {
    this.#forget()
    this.#end({})
    return { done: true, value: undefined }
  }

  #take(chunk: Buffer): void {
    this.#heardAt = this.#source.clock.monotonic()
    for (const line of this.#lines.push(chunk)) {
      this.#queued.push(line)
      this.#bytes += line.length
    }
    if (this.#bytes > mostWaiting && !this.#isPaused) {
      this.#isPaused = true
      this.#source.body.pause()
    }
    this.#serve()
  }

  /** Whoever waits already gets the first that is more than an empty line. */
  #serve(): void {
    const waiter = this.#waiter
    if (!waiter) return
    try {
      const value = this.#shift()
      if (value === undefined) return
      this.#waiter = undefined
      waiter.resolve({ done: false, value })
    } catch (error) {
      this.#waiter = undefined
      this.#forget()
      this.#end({})
      waiter.reject(error)
    }
  }

  #shift(): T | undefined {
    for (;;) {
      const line = this.#queued[this.#head]
      if (!line) return undefined
      this.#head += 1
      this.#bytes -= line.length
      if (this.#head === this.#queued.length) this.#forget()
      else if (this.#head === 1024) {
        // In large steps: shifting one by one is quadratic on a long queue.
        this.#queued.splice(0, this.#head)
        this.#head = 0
      }
      if (this.#isPaused && this.#bytes <= mostWaiting / 2) {
        this.#isPaused = false
        this.#source.body.resume()
      }
      const value = this.#read(line)
      if (value !== undefined) return value
    }
  }

  #forget(): void {
    this.#queued = []
    this.#head = 0
    this.#bytes = 0
  }

  #end(how: { readonly error?: unknown }): void {
    if (this.#ended) return
    this.#ended = how
    this.#leave()
    this.#cancelTimer()
    this.#source.body.destroy()
    const waiter = this.#waiter
    this.#waiter = undefined
    if (waiter) this.#last(waiter, how)
  }

  /** An error is thrown once; after it, as after the end, there is nothing more. */
  #last({ resolve, reject }: Waiter<T>, how: { readonly error?: unknown }): void {
    this.#ended = {}
    if ('error' in how) reject(how.error)
    else resolve({ done: true, value: undefined })
  }

  #arm(): void {
    const { clock, silenceMs } = this.#source
    const leftMs = this.#heardAt + silenceMs - clock.monotonic()
    this.#cancelTimer = clock.after(Math.max(1, leftMs), () => {
      if (clock.monotonic() - this.#heardAt >= silenceMs) this.#end({})
      else this.#arm()
    })
  }
}
