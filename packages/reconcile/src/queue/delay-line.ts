/** Keys that wait for their time, with one timer for all of them. */
import type { Clock } from '@gantry/core'
import { DelayHeap } from './delay-heap.ts'
import type { Priority } from './priority.ts'
import { none, type Slots } from './slots.ts'

export class DelayLine {
  readonly #clock: Clock
  readonly #slots: Slots
  readonly #due: (slot: number, priority: Priority) => void
  readonly #heap: DelayHeap
  #timerAt = Number.POSITIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(clock: Clock, slots: Slots, due: (slot: number, priority: Priority) => void) {
    this.#clock = clock
    this.#slots = slots
    this.#due = due
    this.#heap = new DelayHeap(slots)
  }

  get size(): number {
    return this.#heap.size
  }

  has(slot: number): boolean {
    return this.#slots.heapIndex[slot] !== none
  }

  /** One per key: the earlier time wins, and of the two priorities the higher one. */
  schedule(slot: number, delayMs: number, priority: Priority): void {
    const { dueAt, duePriority } = this.#slots
    const due = this.#clock.monotonic() + delayMs
    if (!this.has(slot)) {
      dueAt[slot] = due
      duePriority[slot] = priority
      this.#heap.push(slot)
    } else {
      if (priority < (duePriority[slot] as number)) duePriority[slot] = priority
      if (due >= (dueAt[slot] as number)) return
      dueAt[slot] = due
      this.#heap.sooner(slot)
    }
    this.#arm()
  }

  remove(slot: number): void {
    this.#heap.remove(slot)
    if (this.#heap.size === 0) this.#disarm()
  }

  /** Takes every key out, and hands each to `dropped`. */
  clear(dropped: (slot: number) => void): void {
    this.#disarm()
    for (let first = this.#heap.first; first !== none; first = this.#heap.first) {
      this.#heap.remove(first)
      dropped(first)
    }
  }

  /** A timer that is already set for sooner is left alone: it finds nothing due and sets the next. */
  #arm(): void {
    const first = this.#heap.first
    if (first === none) return
    const dueAt = this.#slots.dueAt[first] as number
    if (this.#timerAt <= dueAt) return
    this.#disarm()
    this.#timerAt = dueAt
    // Whole milliseconds, rounded up: a timer that fires a fraction too early would find nothing due, again and again.
    const delayMs = Math.max(0, Math.ceil(dueAt - this.#clock.monotonic()))
    this.#cancel = this.#clock.after(delayMs, () => this.#fire())
  }

  #disarm(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  #fire(): void {
    this.#disarm()
    const now = this.#clock.monotonic()
    for (let first = this.#heap.first; first !== none; first = this.#heap.first) {
      if ((this.#slots.dueAt[first] as number) > now) break
      this.#heap.remove(first)
      this.#due(first, this.#slots.duePriority[first] as Priority)
    }
    this.#arm()
  }
}
