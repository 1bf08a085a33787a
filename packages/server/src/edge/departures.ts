/** Replicas that are asked to leave: which, since when, and when somebody last asked. */
import type { Clock } from '@gantry/core'

/** `compiles`: how often a table was made before it was routed out. */
type Departure = { readonly since: number; asked: number; compiles: number | undefined }

/** One that nobody asks about any more stays after all, and gets requests again. */
const forgottenAfterMs = 30_000

export class Departures {
  readonly #clock: Clock
  readonly #leaving = new Map<string, Departure>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** For how long this one has been asked about. */
  ask(engineId: string): number {
    const now = this.#clock.monotonic()
    const known = this.#leaving.get(engineId)
    if (known) known.asked = now
    else this.#leaving.set(engineId, { since: now, asked: now, compiles: undefined })
    return now - (known?.since ?? now)
  }

  routedOut(): ReadonlySet<string> {
    return new Set([...this.#leaving].flatMap(([engineId, { compiles }]) => (compiles === undefined ? [] : [engineId])))
  }

  /** In no table that is made from now on it gets anything new; answers how many were made before. */
  routeOut(engineId: string, compiles: number): number {
    const known = this.#leaving.get(engineId)
    if (known) known.compiles ??= compiles
    return known?.compiles ?? compiles
  }

  /**
   * Those that get nothing new. An id is never used for another replica, so one is remembered for as long as somebody
   * asks: also where nobody has seen it yet, because it may be seen as ready just after it was asked to leave.
   */
  lasting(): ReadonlySet<string> {
    const now = this.#clock.monotonic()
    for (const [engineId, { asked }] of this.#leaving) {
      if (now - asked > forgottenAfterMs) this.#leaving.delete(engineId)
    }
    return this.routedOut()
  }
}
