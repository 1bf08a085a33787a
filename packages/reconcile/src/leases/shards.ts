/** Several processes share all objects: each holds some of 64 shards, and works only on the objects in those. */
import { asFault, type Call, type Clock, type Fault, sleep, withDeadline } from '@gantry/core'
import { hash32 } from '../hash32.ts'
import type { Lease, LeaseStore } from '../lease.ts'
import { HeldLease } from './held-lease.ts'
import { inBatches } from './in-batches.ts'
import { Membership, type Standing } from './membership.ts'
import type { Held, Ownership } from './ownership.ts'

export type ShardsOptions = {
  readonly leases: LeaseStore
  /** Different for every process, also after a restart. */
  readonly holder: string
  readonly clock: Clock
  readonly prefix?: string
  readonly ttlMs?: number
  /** Our own work ends this long before the lease does. */
  readonly marginMs?: number
  readonly onTrouble?: (fault: Fault) => void
}

/** Fixed: processes of different versions must agree on the shard of an object. */
export const shardCount = 64

export function shardOf(uid: string): number {
  return hash32(uid) % shardCount
}

const defaultPrefix = 'reconcile'

/** The lease that guards an object: its epoch is the fence that writes to the object carry. */
export function shardLease(uid: string, prefix = defaultPrefix): string {
  return leaseName(prefix, shardOf(uid))
}

function leaseName(prefix: string, shard: number): string {
  return `${prefix}-shard-${shard}`
}

export class Shards implements Ownership {
  readonly #options: Required<ShardsOptions>
  readonly #membership: Membership
  readonly #held = new Map<number, HeldLease>()
  /** Given up in the round before: their work has ended by now, and the next may have them. */
  #leaving: Lease[] = []
  readonly #listeners = new Set<(gained: (uid: string) => boolean) => void>()
  readonly #stop = new AbortController()
  #rounds: Promise<void> | undefined

  constructor(options: ShardsOptions) {
    this.#options = { prefix: defaultPrefix, ttlMs: 15_000, marginMs: 3_000, onTrouble: () => undefined, ...options }
    this.#membership = new Membership(this.#options)
  }

  start(): void {
    this.#rounds ??= this.#roundAfterRound(this.#stop.signal)
  }

  /** Ends the work under every lease, and gives all of them back so that the others need not wait. */
  async stop(call: Call): Promise<void> {
    this.#stop.abort(new Error('stopping'))
    for (const held of this.#held.values()) held.end('the process is stopping')
    await this.#rounds
    const leases = [...this.#leaving, ...[...this.#held.values()].map((held) => held.lease)]
    this.#held.clear()
    this.#leaving = []
    await this.#giveBack(leases, call)
  }

  held(uid: string): Held | undefined {
    const held = this.#held.get(shardOf(uid))
    return held?.alive() ? held : undefined
  }

  onGained(listener: (gained: (uid: string) => boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The numbers of the shards that are held now. */
  heldShards(): number[] {
    return [...this.#held].filter(([, held]) => held.alive()).map(([shard]) => shard)
  }

  async #roundAfterRound(signal: AbortSignal): Promise<void> {
    const { clock, ttlMs, onTrouble } = this.#options
    while (!signal.aborted) {
      const deadline = withDeadline(clock, ttlMs / 3, 'A round of renewing leases', { signal })
      try {
        await this.#round(deadline)
      } catch (error) {
        if (!signal.aborted) onTrouble(asFault(error))
      } finally {
        deadline.clear()
      }
      await sleep(clock, ttlMs / 3, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    }
  }

  /** A store that hangs keeps nobody from stopping: what is not given back runs out by itself. */
  async #giveBack(leases: readonly Lease[], call: Call): Promise<void> {
    const { clock, ttlMs, onTrouble } = this.#options
    const deadline = withDeadline(clock, ttlMs / 3, 'Giving the leases back', call)
    try {
      await inBatches(leases, (lease) => this.#options.leases.release(lease, deadline))
      await this.#membership.leave(deadline)
    } catch (error) {
      call.signal.throwIfAborted()
      onTrouble(asFault(error))
    } finally {
      deadline.clear()
    }
  }

  async #round(call: Call): Promise<void> {
    await inBatches(this.#leaving.splice(0), (lease) => this.#options.leases.release(lease, call))
    await inBatches([...this.#held], ([shard, held]) => this.#renew(shard, held, call))
    const quota = quotaOf(await this.#membership.refresh(call))
    for (const [shard, held] of [...this.#held].slice(quota)) this.#giveUp(shard, held, 'it goes to another process')
    await this.#take(quota, call)
  }

  /** A lease that cannot be renewed now is tried again in the next round, while the others go on. */
  async #renew(shard: number, held: HeldLease, call: Call): Promise<void> {
    const askedAt = this.#options.clock.monotonic()
    try {
      const renewed = held.alive() ? await this.#options.leases.renew(held.lease, call) : undefined
      if (renewed && held.alive()) held.extend(renewed, askedAt)
      else this.#giveUp(shard, held, 'somebody else may have it')
    } catch (error) {
      call.signal.throwIfAborted()
      this.#options.onTrouble(asFault(error))
    }
  }

  #giveUp(shard: number, held: HeldLease, why: string): void {
    held.end(why)
    this.#held.delete(shard)
    this.#leaving.push(held.lease)
  }

  async #take(quota: number, call: Call): Promise<void> {
    const { leases, holder, ttlMs, prefix, clock, marginMs } = this.#options
    const leaving = new Set(this.#leaving.map(({ name }) => name))
    const gained = new Set<number>()
    try {
      for (let shard = 0; shard < shardCount && this.#held.size < quota; shard++) {
        const name = leaseName(prefix, shard)
        if (this.#held.has(shard) || leaving.has(name)) continue
        const askedAt = clock.monotonic()
        const lease = await leases.acquire(name, holder, ttlMs, call)
        if (!lease) continue
        this.#held.set(shard, new HeldLease(lease, askedAt, { clock, marginMs }))
        gained.add(shard)
      }
    } finally {
      // Also when the rest could not be had in time: whoever holds a shard is the only one who works on it.
      if (gained.size > 0) for (const listener of this.#listeners) listener((uid) => gained.has(shardOf(uid)))
    }
  }
}

/** Shares that add up to all shards while the members agree on their standing. */
export function quotaOf({ index, members }: Standing): number {
  return Math.floor(shardCount / members) + (index < shardCount % members ? 1 : 0)
}
