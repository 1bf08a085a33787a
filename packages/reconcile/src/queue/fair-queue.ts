/** The work queue: de-duplicated, one run per key at a time, by priority, fair between tenants. */
import { type Call, type Clock, Fault, orAbort } from '@gantry/core'
import { DelayLine } from './delay-line.ts'
import { DurationCounter } from './durations.ts'
import { type Priority, priority as priorities } from './priority.ts'
import type { QueueMetrics } from './queue-metrics.ts'
import { none, Slots } from './slots.ts'
import { StretchClock } from './stretch-clock.ts'
import { Tenant } from './tenant.ts'
import { WaitingLine } from './waiting-line.ts'
import type { Again, WorkItem, WorkQueue } from './work-queue.ts'

/** What `take` hands out; it knows whether it was handed back. */
class Taken implements WorkItem {
  readonly key: string
  readonly tenant: string
  readonly slot: number
  ended = false

  constructor(key: string, tenant: string, slot: number) {
    this.key = key
    this.tenant = tenant
    this.slot = slot
  }
}

type IdleWaiter = { readonly promise: Promise<void>; readonly resolve: () => void }

function idleWaiter(over: () => void): IdleWaiter {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = () => {
      over()
      settle()
    }
  })
  return { promise, resolve }
}

export class FairQueue implements WorkQueue {
  readonly #time: StretchClock
  /** Every key that waits, runs or is delayed; others are forgotten, so memory follows the work and not its history. */
  readonly #slotOf = new Map<string, number>()
  readonly #tenants = new Map<string, Tenant>()
  readonly #slots = new Slots()
  readonly #waiting = new WaitingLine(this.#slots)
  readonly #delayed: DelayLine
  readonly #latency = new DurationCounter()
  readonly #work = new DurationCounter()
  #running = 0
  #queued = 0
  #retries = 0
  #closed = false
  #ready: (() => void) | undefined
  #idle: IdleWaiter | undefined

  constructor(clock: Clock) {
    this.#time = new StretchClock(clock)
    this.#delayed = new DelayLine(clock, this.#slots, (slot, priority) => this.#want(slot, priority))
  }

  add(key: string, tenant = '', priority: Priority = priorities.change): void {
    const slot = this.#slotOf.get(key)
    if (slot !== undefined) {
      const wanted = this.#slots.wanted[slot] as number
      if (wanted !== 0 && wanted <= priority + 1) return
    }
    if (!this.#closed) this.#want(slot ?? this.#remember(key, tenant), priority)
  }

  addAfter(key: string, delayMs: number, tenant = '', priority: Priority = priorities.retry): void {
    if (delayMs <= 0) {
      this.add(key, tenant, priority)
      return
    }
    const slot = this.#slotOf.get(key)
    if (this.#closed || (slot !== undefined && this.#slots.wanted[slot] !== 0)) return
    this.#delayed.schedule(slot ?? this.#remember(key, tenant), delayMs, priority)
  }

  take(): WorkItem | undefined {
    const slot = this.#waiting.shift()
    if (slot === none) return undefined
    const slots = this.#slots
    if (this.#delayed.has(slot)) this.#delayed.remove(slot)
    const now = this.#time.now()
    this.#latency.record(now - (slots.since[slot] as number))
    this.#running += 1
    slots.wanted[slot] = 0
    slots.running[slot] = 1
    slots.since[slot] = now
    return new Taken(slots.key(slot), slots.tenant(slot).name, slot)
  }

  done(item: WorkItem, again?: Again): void {
    if (!(item instanceof Taken) || item.ended) {
      throw new Fault('unexpected', `The run of ${item.key} was ended twice, or never began here`)
    }
    item.ended = true
    const { slot } = item
    const slots = this.#slots
    const now = this.#time.read()
    this.#work.record(now - (slots.since[slot] as number))
    this.#running -= 1
    slots.running[slot] = 0
    if (again) this.#again(slot, again)
    const wanted = slots.wanted[slot] as number
    if (wanted !== 0) this.#enqueue(slot, (wanted - 1) as Priority, now)
    else if (!this.#delayed.has(slot)) this.#forget(slot)
    if (this.#idle && this.#isIdle()) this.#idle.resolve()
  }

  onReady(listener: () => void): () => void {
    if (this.#ready) throw new Fault('unexpected', 'This queue already has somebody who takes from it')
    this.#ready = listener
    return () => {
      this.#ready = undefined
    }
  }

  close(): void {
    this.#closed = true
    this.#delayed.clear((slot) => this.#forgetIfIdle(slot))
  }

  clear(): number {
    const dropped = this.#waiting.length
    for (let slot = this.#waiting.shift(); slot !== none; slot = this.#waiting.shift()) {
      this.#slots.wanted[slot] = 0
      this.#forgetIfIdle(slot)
    }
    for (const slot of this.#slotOf.values()) this.#slots.wanted[slot] = 0
    if (this.#idle && this.#isIdle()) this.#idle.resolve()
    return dropped
  }

  idle(call: Call): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    this.#idle ??= idleWaiter(() => {
      this.#idle = undefined
    })
    return orAbort(this.#idle.promise, call)
  }

  has(key: string): boolean {
    return this.#slotOf.has(key)
  }

  runningKeys(): string[] {
    return [...this.#slotOf].filter(([, slot]) => this.#slots.running[slot] === 1).map(([key]) => key)
  }

  metrics(): QueueMetrics {
    const now = this.#time.read()
    return {
      depth: this.#waiting.length,
      delayed: this.#delayed.size,
      running: this.#running,
      oldestAgeMs: now - this.#earliest(this.#waiting.waiting(), now),
      longestRunningMs: now - this.#earliest(this.#runningSlots(), now),
      queued: this.#queued,
      retries: this.#retries,
      latency: this.#latency.read(),
      work: this.#work.read(),
    }
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0
  }

  #again(slot: number, { afterMs, priority }: Again): void {
    this.#retries += 1
    if (this.#closed || this.#slots.wanted[slot] !== 0) return
    if (afterMs > 0) this.#delayed.schedule(slot, afterMs, priority)
    else this.#slots.wanted[slot] = priority + 1
  }

  #want(slot: number, priority: Priority): void {
    const slots = this.#slots
    const before = slots.wanted[slot] as number
    if (before !== 0 && before <= priority + 1) return
    slots.wanted[slot] = priority + 1
    if (slots.running[slot] === 1) return
    if (before === 0) this.#enqueue(slot, priority, this.#time.now())
    else this.#waiting.raise(slot, (before - 1) as Priority, priority)
  }

  #enqueue(slot: number, priority: Priority, now: number): void {
    this.#slots.since[slot] = now
    this.#queued += 1
    this.#waiting.push(slot, priority)
    this.#ready?.()
  }

  #remember(key: string, tenant: string): number {
    let of = this.#tenants.get(tenant)
    if (!of) {
      of = new Tenant(tenant)
      this.#tenants.set(tenant, of)
    }
    of.keys += 1
    const slot = this.#slots.allocate(key, of)
    this.#slotOf.set(key, slot)
    return slot
  }

  #forget(slot: number): void {
    const tenant = this.#slots.tenant(slot)
    this.#slotOf.delete(this.#slots.key(slot))
    this.#slots.release(slot)
    tenant.keys -= 1
    if (tenant.keys === 0) this.#tenants.delete(tenant.name)
  }

  #forgetIfIdle(slot: number): void {
    const { wanted, running } = this.#slots
    if (wanted[slot] === 0 && running[slot] === 0 && !this.#delayed.has(slot)) this.#forget(slot)
  }

  *#runningSlots(): Iterable<number> {
    for (const slot of this.#slotOf.values()) if (this.#slots.running[slot] === 1) yield slot
  }

  #earliest(slots: Iterable<number>, now: number): number {
    let earliest = now
    for (const slot of slots) earliest = Math.min(earliest, this.#slots.since[slot] as number)
    return earliest
  }
}
