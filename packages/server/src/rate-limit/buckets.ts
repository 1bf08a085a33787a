/**
 * Who may ask how often. Each key has a bucket that fills with time; of a bucket only one number is kept, the time at which
 * it will be full again, so what is full needs no memory at all.
 */
import type { Clock } from '@gantry/core'

export type Rate = {
  /** How many a second in the long run. */
  readonly perSecond: number
  /** How many at once after a rest. */
  readonly burst: number
}

export type BucketsOptions = Rate & {
  readonly clock: Clock
  /** How many keys are remembered. Beyond that the one that asked longest ago is forgotten, and begins anew if it comes back. */
  readonly capacity: number
}

export class Buckets {
  readonly #clock: Clock
  readonly #capacity: number
  readonly #intervalMs: number
  readonly #toleranceMs: number
  /** By key, the one that asked longest ago first: when its bucket is full again. */
  readonly #fullAt = new Map<string, number>()

  constructor({ clock, capacity, perSecond, burst }: BucketsOptions) {
    this.#clock = clock
    this.#capacity = capacity
    this.#intervalMs = 1000 / perSecond
    this.#toleranceMs = this.#intervalMs * burst
  }

  /** 0 if it may; else the whole milliseconds after which it may. One that may not is not counted. */
  take(key: string): number {
    const now = this.#clock.monotonic()
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? now) + this.#intervalMs
    const waitMs = fullAt - now - this.#toleranceMs
    // Fractions add up: half a bucket and half a bucket may come to a hair more than one.
    if (waitMs > rounding) {
      this.#touch(key, fullAt - this.#intervalMs)
      return Math.ceil(waitMs - rounding)
    }
    this.#touch(key, fullAt)
    this.#makeRoom()
    return 0
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#fullAt.size
  }

  #touch(key: string, fullAt: number): void {
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
  }

  #makeRoom(): void {
    if (this.#fullAt.size <= this.#capacity) return
    for (const key of this.#fullAt.keys()) {
      this.#fullAt.delete(key)
      return
    }
  }
}

const rounding = 1e-6
