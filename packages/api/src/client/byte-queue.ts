/** Bytes that come when they come, for one reader who takes them when it can. */

export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #waiting: Uint8Array[] = []
  #ended: { readonly error?: unknown } | undefined
  #wake: (() => void) | undefined

  push(bytes: Uint8Array): void {
    if (this.#ended) return
    this.#waiting.push(bytes)
    this.#wake?.()
  }

  /** What came is still read; then it ends, or throws. */
  end(how: { readonly error?: unknown } = {}): void {
    this.#ended ??= how
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const next = this.#waiting.shift()
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
  }
}
