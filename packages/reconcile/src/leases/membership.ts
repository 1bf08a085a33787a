/**
 * How many processes share the work, and which of them we are, by leases alone: each member holds one numbered slot. Slots
 * are filled from below, so that members are counted by trying the next ones up to the first that is free.
 */
import { type Call, Fault } from '@gantry/core'
import type { Lease, LeaseStore } from '../lease.ts'

export type Standing = {
  /** From 0; unique among the members while they agree, and never relied upon for more than sharing fairly. */
  readonly index: number
  readonly members: number
}

export type MembershipOptions = {
  readonly leases: LeaseStore
  readonly holder: string
  readonly prefix: string
  readonly ttlMs: number
}

const mostMembers = 64

export class Membership {
  readonly #options: MembershipOptions
  #own: { readonly lease: Lease; readonly index: number } | undefined

  constructor(options: MembershipOptions) {
    this.#options = options
  }

  /** Keeps our slot, moves to a lower one that is free, and counts the others. To be called well within the TTL. */
  async refresh(call: Call): Promise<Standing> {
    const kept = await this.#keep(call)
    const own = (await this.#lowest(kept?.index ?? mostMembers, call)) ?? kept
    if (!own) throw new Fault('store_unavailable', `All ${mostMembers} member slots are taken`)
    if (kept && own !== kept) await this.#options.leases.release(kept.lease, call)
    this.#own = own
    return { index: own.index, members: own.index + 1 + (await this.#countAbove(own.index, call)) }
  }

  async leave(call: Call): Promise<void> {
    const own = this.#own
    this.#own = undefined
    if (own) await this.#options.leases.release(own.lease, call)
  }

  async #keep(call: Call) {
    if (!this.#own) return undefined
    const { lease, index } = this.#own
    const renewed = await this.#options.leases.renew(lease, call)
    return renewed && { lease: renewed, index }
  }

  async #lowest(below: number, call: Call) {
    for (let index = 0; index < below; index++) {
      const lease = await this.#acquire(index, call)
      if (lease) return { lease, index }
    }
    return undefined
  }

  async #countAbove(index: number, call: Call): Promise<number> {
    for (let slot = index + 1; slot < mostMembers; slot++) {
      const free = await this.#acquire(slot, call)
      if (!free) continue
      await this.#options.leases.release(free, call)
      return slot - index - 1
    }
    return mostMembers - index - 1
  }

  #acquire(index: number, call: Call): Promise<Lease | undefined> {
    const { leases, holder, prefix, ttlMs } = this.#options
    return leases.acquire(`${prefix}-member-${index}`, holder, ttlMs, call)
  }
}
