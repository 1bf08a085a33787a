/** Leases in memory on a clock of their own, as a database keeps them. */
import type { Call, Clock } from '@gantry/core'
import type { Lease, LeaseStore } from '../lease.ts'

type Kept = { readonly lease: Lease; expiresAt: number }

export class MemoryLeases implements LeaseStore {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  #epoch = 0n

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Who holds it now. */
  holderOf(name: string): string | undefined {
    return this.#live(name)?.lease.holder
  }

  get size(): number {
    return [...this.#kept.keys()].filter((name) => this.#live(name)).length
  }

  async acquire(name: string, holder: string, ttlMs: number, { signal }: Call): Promise<Lease | undefined> {
    signal.throwIfAborted()
    const live = this.#live(name)
    if (live && live.lease.holder !== holder) return undefined
    if (!live) this.#epoch += 1n
    const lease = live ? { ...live.lease, ttlMs } : { name, holder, epoch: this.#epoch, ttlMs }
    this.#kept.set(name, { lease, expiresAt: this.#clock.monotonic() + ttlMs })
    return lease
  }

  async renew(lease: Lease, { signal }: Call): Promise<Lease | undefined> {
    signal.throwIfAborted()
    const live = this.#live(lease.name)
    if (live?.lease.epoch !== lease.epoch) return undefined
    live.expiresAt = this.#clock.monotonic() + lease.ttlMs
    return lease
  }

  async release(lease: Lease, { signal }: Call): Promise<void> {
    signal.throwIfAborted()
    if (this.#kept.get(lease.name)?.lease.epoch === lease.epoch) this.#kept.delete(lease.name)
  }

  #live(name: string): Kept | undefined {
    const kept = this.#kept.get(name)
    return kept && kept.expiresAt > this.#clock.monotonic() ? kept : undefined
  }
}
