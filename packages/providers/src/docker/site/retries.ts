/** What could not be done is tried again, later each time; and what is to be done in a while is done then. */
import type { Clock } from '@gantry/core'

const firstMs = 500
const longestMs = 30_000

export class RetryTimes {
  readonly #clock: Clock
  readonly #again: () => void
  readonly #waits = new Map<string, { readonly at: number; readonly ms: number }>()
  readonly #timers = new Map<string, () => void>()

  constructor(clock: Clock, again: () => void) {
    this.#clock = clock
    this.#again = again
  }

  isTooSoon(what: string): boolean {
    return this.#clock.monotonic() < (this.#waits.get(what)?.at ?? 0)
  }

  failed(what: string): void {
    const ms = Math.min(longestMs, 2 * (this.#waits.get(what)?.ms ?? firstMs / 2))
    this.#waits.set(what, { at: this.#clock.monotonic() + ms, ms })
    this.later(what, ms)
  }

  succeeded(what: string): void {
    this.#waits.delete(what)
  }

  later(what: string, ms: number): void {
    this.#timers.get(what)?.()
    this.#timers.set(what, this.#clock.after(ms, this.#again))
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel()
  }
}
