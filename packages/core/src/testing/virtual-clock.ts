/** A clock that a test owns: time stands still until told otherwise, so a day of retries takes milliseconds. */
import type { Clock } from '../clock.ts'

type Timer = { readonly due: number; readonly order: number; readonly task: () => void; cancelled: boolean }

export class VirtualClock implements Clock {
  #now: number
  readonly #start: number
  readonly #settle: () => Promise<void>
  #order = 0
  #timers: Timer[] = []

  /** `settle` lets everything run that takes no time; left out: one turn of the event loop. */
  constructor(start: number = Date.UTC(2026, 0, 1), settle: () => Promise<void> = turn) {
    this.#now = start
    this.#start = start
    this.#settle = settle
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now - this.#start
  }

  after(delayMs: number, task: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(0, delayMs), order: this.#order++, task, cancelled: false }
    push(this.#timers, timer)
    return () => {
      timer.cancelled = true
    }
  }

  /** How many timers are still to fire; a test that has cleaned up sees 0. */
  get pending(): number {
    return this.#timers.filter((timer) => !timer.cancelled).length
  }

  /** Lets `ms` pass: fires what falls due in order, and lets all that follows from it run before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await this.#settle()
    for (let next = this.#nextDue(until); next; next = this.#nextDue(until)) {
      this.#now = Math.max(this.#now, next.due)
      next.task()
      await this.#settle()
    }
    this.#now = until
  }

  /** Lets time pass until `done` holds, from timer to timer. Throws after `limitMs`, or when nothing is left to wait for. */
  async until(done: () => boolean, limitMs = 86_400_000): Promise<void> {
    const limit = this.#now + limitMs
    await this.#settle()
    while (!done()) {
      const next = this.#nextDue(limit)
      if (!next) throw new Error(`not reached within ${limitMs} ms of virtual time (${this.pending} timers pending)`)
      this.#now = Math.max(this.#now, next.due)
      next.task()
      await this.#settle()
    }
  }

  #nextDue(until: number): Timer | undefined {
    for (let first = this.#timers[0]; first && first.due <= until; first = this.#timers[0]) {
      pop(this.#timers)
      if (!first.cancelled) return first
    }
    return undefined
  }
}

/** One turn of the event loop: every promise that can settle without time passing has settled afterwards. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

const before = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order)

function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1
  while (at > 0) {
    const parentAt = (at - 1) >> 1
    const parent = heap[parentAt]
    if (!parent || before(parent, timer)) break
    heap[at] = parent
    at = parentAt
  }
  heap[at] = timer
}

function pop(heap: Timer[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let at = 0
  for (;;) {
    let childAt = at * 2 + 1
    let child = heap[childAt]
    if (!child) break
    const right = heap[childAt + 1]
    if (right && before(right, child)) {
      child = right
      childAt += 1
    }
    if (before(last, child)) break
    heap[at] = child
    at = childAt
  }
  heap[at] = last
}
