/** Bytes that come when they come, for one reader who takes them when it can. */

/**
 * More than this waits for a reader who is behind: then nothing more is to come until less than the other is left. Where
 * nobody reads, everything is taken: whoever only waits for the end must not be kept from it by what nobody wants.
 */
const most = 1_048_576
const least = 262_144

export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #waiting: Uint8Array[] = []
  readonly #hold: (isHeld: boolean) => void
  #bytes = 0
  #isRead = false
  #isHeld = false
  #ended: { readonly error?: unknown } | undefined
  #wake: (() => void) | undefined

  /** `hold` is told when nothing more should come for now, and when it should again. */
  constructor(hold: (isHeld: boolean) => void = () => undefined) {
    this.#hold = hold
  }

  push(bytes: Uint8Array): void {
    if (this.#ended) return
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    this.#balance()
    this.#wake?.()
  }

  /** What came is still read; then it ends, or throws. */
  end(how: { readonly error?: unknown } = {}): void {
    this.#ended ??= how
    this.#balance()
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    this.#isRead = true
    try {
      for (;;) {
        const next = this.#waiting.shift()
        this.#bytes -= next?.length ?? 0
        this.#balance()
        if (next) yield next
        else if (this.#ended) {
          if ('error' in this.#ended) throw this.#ended.error
          return
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
          this.#wake = undefined
        }
      }
    } finally {
      this.#isRead = false
      this.#balance()
    }
  }

  #balance(): void {
    const isBehind = this.#isRead && !this.#ended
    const should = isBehind && this.#bytes > (this.#isHeld ? least : most)
    if (should === this.#isHeld) return
    this.#isHeld = should
    this.#hold(should)
  }
}
