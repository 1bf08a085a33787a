/** Bytes that came in, for one reader, and a word to the sender when too many wait. */

/** So many may wait; then the other side does. */
const mostWaiting = 1024 * 1024

type Waiter<T> = { readonly resolve: (next: IteratorResult<T>) => void; readonly reject: (error: unknown) => void }

export type Flow = { readonly full: () => void; readonly roomy: () => void }

export class Incoming<T extends Uint8Array = Uint8Array> implements AsyncIterableIterator<T> {
  readonly #flow: Flow
  #queued: T[] = []
  #bytes = 0
  #isFull = false
  #waiter: Waiter<T> | undefined
  #ended: { readonly error?: unknown } | undefined
  #hasLeft = false

  constructor(flow: Flow) {
    this.#flow = flow
  }

  push(bytes: T): void {
    if (this.#ended || this.#hasLeft || bytes.length === 0) return
    const waiter = this.#waiter
    if (waiter) {
      this.#waiter = undefined
      waiter.resolve({ done: false, value: bytes })
      return
    }
    this.#queued.push(bytes)
    this.#bytes += bytes.length
    if (this.#isFull || this.#bytes < mostWaiting) return
    this.#isFull = true
    this.#flow.full()
  }

  /** What came is still read, then it ends or throws. */
  end(how: { readonly error?: unknown } = {}): void {
    if (this.#ended) return
    this.#ended = how
    const waiter = this.#waiter
    this.#waiter = undefined
    if (waiter) this.#last(waiter)
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.#queued.shift()
    if (value !== undefined) {
      this.#bytes -= value.length
      if (this.#bytes <= mostWaiting / 2) this.#tellRoom()
      return Promise.resolve({ done: false, value })
    }
    return new Promise((resolve, reject) => {
      if (this.#ended) this.#last({ resolve, reject })
      else this.#waiter = { resolve, reject }
    })
  }

  /** Who walks away holds nobody up: what else comes is dropped. */
  async return(): Promise<IteratorResult<T>> {
    this.#hasLeft = true
    this.#queued = []
    this.#bytes = 0
    this.#tellRoom()
    return { done: true, value: undefined }
  }

  #tellRoom(): void {
    if (!this.#isFull) return
    this.#isFull = false
    this.#flow.roomy()
  }

  #last({ resolve, reject }: Waiter<T>): void {
    const how = this.#ended ?? {}
    this.#ended = {}
    if ('error' in how) reject(how.error)
    else resolve({ done: true, value: undefined })
  }
}
