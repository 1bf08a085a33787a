/** Whether a service ends again and again: so many ends in a row, none of them after a stable run, are no accident. */
import type { Clock } from '@gantry/core'

const crashes = 3
const stableMs = 60_000

/** An end that nobody asked for. */
export type Crash = {
  readonly startedAt: number
  readonly at: number
  /** How often it was started again before. */
  readonly restarts: number
}

export class CrashStreak {
  readonly #clock: Clock
  readonly #changed: () => void
  #since: number | undefined
  #calm: () => void = () => undefined

  /** `changed`: told when it is over, because it has been quiet for long enough. */
  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock
    this.#changed = changed
  }

  /** When it was no accident any more. */
  get since(): number | undefined {
    return this.#since
  }

  ended({ startedAt, at, restarts }: Crash): void {
    // Another machine's clock may be ahead of ours.
    const agoMs = Math.max(0, this.#clock.now() - at)
    const isStable = at - startedAt >= stableMs || agoMs >= stableMs
    this.#calm()
    if (isStable || restarts < crashes) {
      this.#since = undefined
      return
    }
    this.#since ??= this.#clock.now()
    this.#calm = this.#clock.after(stableMs - agoMs, () => {
      this.#since = undefined
      this.#changed()
    })
  }

  over(): void {
    this.stop()
    this.#since = undefined
  }

  stop(): void {
    this.#calm()
  }
}
