/**
 * Numbers of tables, larger each time, also after a restart and on another machine: the time, or one more than the last
 * where that is not larger. Nothing has to be kept for it, and the edge's own number is heeded when it is connected to.
 */
import type { Clock } from '@gantry/core'

export class TableNumbers {
  readonly #clock: Pick<Clock, 'now'>
  #last = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Of a table that somebody has made already. */
  heed(number: number): void {
    this.#last = Math.max(this.#last, number)
  }

  next(): number {
    this.#last = Math.max(this.#last + 1, Math.floor(this.#clock.now()))
    return this.#last
  }
}
