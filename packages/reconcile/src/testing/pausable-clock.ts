/** The clock of one process among several: while the process is paused, time goes on, but its timers do not fire. */
import type { Clock } from '@gantry/core'

export class PausableClock implements Clock {
  readonly #clock: Clock
  #paused = false
  #missed: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  monotonic(): number {
    return this.#clock.monotonic()
  }

  after(delayMs: number, task: () => void): () => void {
    let cancelled = false
    const fire = (): void => {
      if (cancelled) return
      if (this.#paused) this.#missed.push(fire)
      else task()
    }
    const cancel = this.#clock.after(delayMs, fire)
    return () => {
      cancelled = true
      cancel()
    }
  }

  pause(): void {
    this.#paused = true
  }

  /** What fell due meanwhile fires now. */
  resume(): void {
    this.#paused = false
    for (const fire of this.#missed.splice(0)) fire()
  }
}
