/**
 * The queue's memory of its keys, as columns instead of objects: a key has a slot number, and each of its facts is in the
 * array of that fact. A duplicate add then reads one byte beyond the map, and 100,000 keys are no load on the garbage
 * collector. Measured against one object per key: a quarter to a half faster.
 */
import type { Tenant } from './tenant.ts'

/** In place of a slot number: there is none. */
export const none = -1

const firstSize = 64

export class Slots {
  /** 0: not asked for; otherwise 1 + the priority it is asked for with. A running key that is wanted runs once more. */
  wanted = new Uint8Array(firstSize)
  running = new Uint8Array(firstSize)
  /** When it was queued, or, while it runs, when it was taken. */
  since = new Float64Array(firstSize)
  /** Neighbours in the lane it waits in. `next` also links the free slots. */
  next = new Int32Array(firstSize)
  previous = new Int32Array(firstSize)
  /** Where it is in the delay heap, or `none`; with the time it falls due and the priority it then has. */
  heapIndex = new Int32Array(firstSize)
  dueAt = new Float64Array(firstSize)
  duePriority = new Uint8Array(firstSize)
  readonly #keys: string[] = []
  readonly #tenants: (Tenant | undefined)[] = []
  #free = none
  #used = 0

  /** A slot for a key; its columns are clean. */
  allocate(key: string, tenant: Tenant): number {
    const slot = this.#freeSlot()
    this.heapIndex[slot] = none
    this.#keys[slot] = key
    this.#tenants[slot] = tenant
    return slot
  }

  /** Gives a slot back whose key neither waits nor runs nor is delayed. */
  release(slot: number): void {
    this.#keys[slot] = ''
    this.#tenants[slot] = undefined
    this.next[slot] = this.#free
    this.#free = slot
  }

  key(slot: number): string {
    return this.#keys[slot] as string
  }

  tenant(slot: number): Tenant {
    return this.#tenants[slot] as Tenant
  }

  #freeSlot(): number {
    const slot = this.#free
    if (slot !== none) {
      this.#free = this.next[slot] as number
      return slot
    }
    if (this.#used === this.wanted.length) this.#grow(this.#used * 2)
    return this.#used++
  }

  #grow(size: number): void {
    this.wanted = copied(new Uint8Array(size), this.wanted)
    this.running = copied(new Uint8Array(size), this.running)
    this.since = copied(new Float64Array(size), this.since)
    this.next = copied(new Int32Array(size), this.next)
    this.previous = copied(new Int32Array(size), this.previous)
    this.heapIndex = copied(new Int32Array(size), this.heapIndex)
    this.dueAt = copied(new Float64Array(size), this.dueAt)
    this.duePriority = copied(new Uint8Array(size), this.duePriority)
  }
}

function copied<T extends Uint8Array | Int32Array | Float64Array>(larger: T, smaller: T): T {
  larger.set(smaller)
  return larger
}
