/** Slots by the time they fall due: a binary heap that knows where each slot is, so that one can be moved or taken out. */
import { none, type Slots } from './slots.ts'

export class DelayHeap {
  readonly #slots: Slots
  readonly #heap: number[] = []

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get size(): number {
    return this.#heap.length
  }

  /** The slot that falls due next, or `none`. */
  get first(): number {
    return this.#heap[0] ?? none
  }

  push(slot: number): void {
    this.#heap.push(slot)
    this.#rise(slot, this.#heap.length - 1)
  }

  /** To be called after a slot's due time became earlier. */
  sooner(slot: number): void {
    this.#rise(slot, this.#slots.heapIndex[slot] as number)
  }

  remove(slot: number): void {
    const at = this.#slots.heapIndex[slot] as number
    this.#slots.heapIndex[slot] = none
    const last = this.#heap.pop()
    if (last === undefined || last === slot) return
    this.#rise(last, at)
    this.#sink(last, this.#slots.heapIndex[last] as number)
  }

  #dueAt(slot: number): number {
    return this.#slots.dueAt[slot] as number
  }

  #rise(slot: number, from: number): void {
    let at = from
    while (at > 0) {
      const parentAt = (at - 1) >> 1
      const parent = this.#heap[parentAt] as number
      if (this.#dueAt(parent) <= this.#dueAt(slot)) break
      this.#put(parent, at)
      at = parentAt
    }
    this.#put(slot, at)
  }

  #sink(slot: number, from: number): void {
    let at = from
    for (;;) {
      let childAt = at * 2 + 1
      let child = this.#heap[childAt]
      if (child === undefined) break
      const right = this.#heap[childAt + 1]
      if (right !== undefined && this.#dueAt(right) < this.#dueAt(child)) {
        child = right
        childAt += 1
      }
      if (this.#dueAt(slot) <= this.#dueAt(child)) break
      this.#put(child, at)
      at = childAt
    }
    this.#put(slot, at)
  }

  #put(slot: number, at: number): void {
    this.#heap[at] = slot
    this.#slots.heapIndex[slot] = at
  }
}
