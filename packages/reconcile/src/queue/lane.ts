/** The keys of one tenant that wait at one priority, first in, first out. Leaving from the middle is cheap. */
import { none, type Slots } from './slots.ts'

export class Lane {
  #first = none
  #last = none
  /** Neighbours in the ring of lanes that have something waiting; kept by `Band`. */
  nextLane: Lane | undefined
  previousLane: Lane | undefined

  get empty(): boolean {
    return this.#first === none
  }

  push(slots: Slots, slot: number): void {
    slots.next[slot] = none
    slots.previous[slot] = this.#last
    if (this.#last === none) this.#first = slot
    else slots.next[this.#last] = slot
    this.#last = slot
  }

  shift(slots: Slots): number {
    const slot = this.#first
    if (slot !== none) this.remove(slots, slot)
    return slot
  }

  remove(slots: Slots, slot: number): void {
    const previous = slots.previous[slot] as number
    const next = slots.next[slot] as number
    if (previous === none) this.#first = next
    else slots.next[previous] = next
    if (next === none) this.#last = previous
    else slots.previous[next] = previous
  }

  *slots(slots: Slots): Iterable<number> {
    for (let slot = this.#first; slot !== none; slot = slots.next[slot] as number) yield slot
  }
}
