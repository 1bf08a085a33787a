/** A lease while we hold it: its signal ends, by our own monotonic clock, before anybody else can have it. */
import { setMaxListeners } from 'node:events'
import { type Clock, Fault } from '@gantry/core'
import type { Lease } from '../lease.ts'
import type { Held } from './ownership.ts'

export class HeldLease implements Held {
  readonly #clock: Clock
  readonly #marginMs: number
  readonly #control = new AbortController()
  #lease: Lease
  #validUntil = 0
  #cancel: () => void = () => undefined

  /** `askedAt`: when the request for the lease was sent, on the monotonic clock. It was granted later, if anything. */
  constructor(lease: Lease, askedAt: number, { clock, marginMs }: { clock: Clock; marginMs: number }) {
    this.#clock = clock
    this.#marginMs = marginMs
    this.#lease = lease
    // Every run under the lease listens, so that many listeners are no leak here.
    setMaxListeners(0, this.#control.signal)
    this.extend(lease, askedAt)
  }

  get lease(): Lease {
    return this.#lease
  }

  get signal(): AbortSignal {
    return this.#control.signal
  }

  get fence(): bigint {
    return this.#lease.epoch
  }

  /** Looks at the clock itself: a process that was paused may be asked before its timers have fired. */
  alive(): boolean {
    if (!this.#control.signal.aborted && this.#clock.monotonic() >= this.#validUntil) this.#expire()
    return !this.#control.signal.aborted
  }

  extend(lease: Lease, askedAt: number): void {
    this.#cancel()
    this.#lease = lease
    this.#validUntil = askedAt + lease.ttlMs - this.#marginMs
    this.#cancel = this.#clock.after(Math.max(0, this.#validUntil - this.#clock.monotonic()), () => this.#expire())
  }

  /** Ends what is done under the lease. */
  end(why: string): void {
    this.#cancel()
    this.#control.abort(new Fault('lease_lost', `The lease ${this.#lease.name} ended: ${why}`))
  }

  #expire(): void {
    this.end('it could not be renewed in time')
  }
}
