/** Everything that waits for a worker, in the order it will be served. */
import { Band } from './band.ts'
import type { Priority } from './priority.ts'
import { none, type Slots } from './slots.ts'

/** A band that was passed over this often is served next, so a flood of changes slows resync down but cannot stop it. */
const patience = 16

export class WaitingLine {
  readonly #slots: Slots
  readonly #bands: readonly [Band, Band, Band] = [new Band(), new Band(), new Band()]
  #length = 0

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get length(): number {
    return this.#length
  }

  push(slot: number, priority: Priority): void {
    this.#bands[priority].push(this.#slots, slot, this.#slots.tenant(slot).lane(priority))
    this.#length += 1
  }

  shift(): number {
    const band = this.#next()
    if (!band) return none
    this.#length -= 1
    return band.shift(this.#slots)
  }

  /** Moves a waiting key up. It goes to the end of its new lane. */
  raise(slot: number, from: Priority, to: Priority): void {
    const tenant = this.#slots.tenant(slot)
    this.#bands[from].remove(this.#slots, slot, tenant.lane(from))
    this.#bands[to].push(this.#slots, slot, tenant.lane(to))
  }

  *waiting(): Iterable<number> {
    for (const band of this.#bands) yield* band.slots(this.#slots)
  }

  #next(): Band | undefined {
    // By index: destructuring an array goes through its iterator, and this runs for every key.
    const change = this.#bands[0]
    const retry = this.#bands[1]
    const resync = this.#bands[2]
    if (!resync.empty && !(change.empty && retry.empty) && ++resync.passedOver > patience) return served(resync)
    if (!retry.empty && !change.empty && ++retry.passedOver > patience) return served(retry)
    if (!change.empty) return change
    if (!retry.empty) return served(retry)
    return resync.empty ? undefined : served(resync)
  }
}

function served(band: Band): Band {
  band.passedOver = 0
  return band
}
