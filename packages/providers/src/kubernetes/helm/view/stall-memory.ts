/** Since when a stall is seen: the same one keeps its time, so that who waits can tell a new one from it. */
import type { Clock } from '@gantry/core'

export class StallMemory {
  readonly #clock: Clock
  readonly #seen = new Map<string, { readonly message: string; readonly at: Date }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  at(key: string, message: string): Date {
    const known = this.#seen.get(key)
    if (known?.message === message) return known.at
    const at = new Date(this.#clock.now())
    this.#seen.set(key, { message, at })
    return at
  }

  forget(key: string): void {
    this.#seen.delete(key)
  }
}
