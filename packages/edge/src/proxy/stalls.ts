/** Watches clients that are waited for: one timer looks at all of them, instead of one for every chunk. */
import type { Clock } from '@gantry/core'

export interface Waiting {
  /** Since when the client owes something; undefined while it does not. */
  readonly owesSince: number | undefined
  /** Too slow all in all, though never silent for long. */
  tooSlow(now: number): boolean
  /** Ends it; it takes itself off the watch. */
  giveUp(): void
}

export class Stalls {
  readonly #clock: Clock
  readonly #stallMs: number
  readonly #watched = new Set<Waiting>()
  #cancel: (() => void) | undefined

  constructor(clock: Clock, stallMs: number) {
    this.#clock = clock
    this.#stallMs = stallMs
  }

  watch(waiting: Waiting): void {
    this.#watched.add(waiting)
    this.#cancel ??= this.#clock.after(this.#everyMs, () => this.#look())
  }

  unwatch(waiting: Waiting): void {
    this.#watched.delete(waiting)
    if (this.#watched.size === 0) this.stop()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  get #everyMs(): number {
    return Math.max(10, Math.min(1000, this.#stallMs / 4))
  }

  #look(): void {
    const now = this.#clock.monotonic()
    for (const waiting of this.#watched) {
      const { owesSince } = waiting
      const silent = owesSince !== undefined && now - owesSince > this.#stallMs
      if (silent || waiting.tooSlow(now)) waiting.giveUp()
    }
    this.#cancel = undefined
    if (this.#watched.size > 0) this.#cancel = this.#clock.after(this.#everyMs, () => this.#look())
  }
}
