/** Replicas that are asked to leave: which, since when, and when somebody last asked. */
import type { Clock } from '@gantry/core'

type Departure = { readonly since: number; asked: number; routedOut: boolean }

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
    else this.#leaving.set(engineId, { since: now, asked: now, routedOut: false })
    return now - (known?.since ?? now)
  }

  routedOut(): ReadonlySet<string> {
    return new Set([...this.#leaving].flatMap(([engineId, { routedOut }]) => (routedOut ? [engineId] : [])))
  }

  /** From now on it gets nothing new. */
  routeOut(engineId: string): void {
    const known = this.#leaving.get(engineId)
    if (known) known.routedOut = true
  }

  /** Those that get nothing new, of those that are still there. */
  among(engineIds: ReadonlySet<string>): ReadonlySet<string> {
    const now = this.#clock.monotonic()
    for (const [engineId, { asked }] of this.#leaving) {
      if (now - asked > forgottenAfterMs || !engineIds.has(engineId)) this.#leaving.delete(engineId)
    }
    return this.routedOut()
  }
}
