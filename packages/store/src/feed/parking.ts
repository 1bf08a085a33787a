/** Watchers that have seen everything wait here, sorted by what they watch, so an event costs only those it concerns. */
import type { FeedEvent, Filter } from './event.ts'

export type Waker = {
  readonly filter: Filter
  /** Everything up to `version` has been seen by, or does not concern, this watcher. */
  readonly wake: (version: number) => void
}

const any = '*'

const placeOf = (kind: string | undefined, tenant: string | undefined): string => `${kind ?? any}\n${tenant ?? any}`

export class Parking {
  readonly #places = new Map<string, Set<Waker>>()

  park(waker: Waker): void {
    const place = placeOf(waker.filter.kind, waker.filter.tenant)
    const parked = this.#places.get(place)
    if (parked) parked.add(waker)
    else this.#places.set(place, new Set([waker]))
  }

  leave(waker: Waker): void {
    const place = placeOf(waker.filter.kind, waker.filter.tenant)
    const parked = this.#places.get(place)
    parked?.delete(waker)
    if (parked?.size === 0) this.#places.delete(place)
  }

  /** Wakes whoever this event is for, just before it. */
  announce(event: FeedEvent): void {
    const { kind, tenant, version } = event.row
    for (const place of [placeOf(kind, tenant), placeOf(kind, any), placeOf(any, tenant), placeOf(any, any)]) {
      for (const waker of this.#places.get(place) ?? []) {
        if (!event.seenBy(waker.filter)) continue
        this.leave(waker)
        waker.wake(version - 1)
      }
    }
  }

  wakeAll(version: number): void {
    const everyone = [...this.#places.values()].flatMap((parked) => [...parked])
    this.#places.clear()
    for (const waker of everyone) waker.wake(version)
  }
}
