/**
 * How long connections are tried anew at an address behind which others come and go. The next is likely to find another of them;
 * and where nobody was before, whoever shares the address out may learn of them a second later than we do. Nothing was sent when a
 * connection is refused, so nothing is done twice.
 */
import type { Clock } from '@gantry/core'

const firstMs = 10
const longestMs = 320

export class Patience {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #mostMs: number
  #waitMs = firstMs
  #since: number | undefined

  /** `mostMs`: as long as a single connection may take; whoever shares the address out has led it somewhere by then, or never will. */
  constructor(clock: Pick<Clock, 'monotonic'>, mostMs: number) {
    this.#clock = clock
    this.#mostMs = mostMs
  }

  /** After a refusal: when to try the next. `undefined`: it has been tried for long enough. */
  nextMs(): number | undefined {
    const now = this.#clock.monotonic()
    this.#since ??= now
    if (now - this.#since >= this.#mostMs) return undefined
    const wait = this.#waitMs
    this.#waitMs = Math.min(wait * 2, longestMs)
    return wait
  }
}
