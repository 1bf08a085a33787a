/** Leaves an address alone for a while when nobody answers there: a short time first, a longer one each time in a row. */
const firstMs = 250
const longestMs = 10_000

export class Ejection {
  #inARow = 0
  #until = 0

  /** Nobody answered. A failure while it is out already, of a request that was under way, does not count again. */
  failed(now: number): void {
    if (now < this.#until) return
    this.#until = now + Math.min(firstMs * 2 ** this.#inARow, longestMs)
    this.#inARow = Math.min(this.#inARow + 1, 16)
  }

  worked(): void {
    if (this.#inARow === 0) return
    this.#inARow = 0
    this.#until = 0
  }

  leftMs(now: number): number {
    return Math.max(0, this.#until - now)
  }
}
