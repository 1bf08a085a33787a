/** Objects of an engine in memory: what can be applied can be read, and what is removed takes its time to go. */
import type { Pass } from '../provisioners/provisioner.ts'
import type { ObservedResource, ResourceDriver } from '../provisioners/resource-driver.ts'

export type MemoryResourcesOptions = {
  /** How many looks at an object it takes, once it was asked to go, until it is gone. */
  readonly removalPasses?: number
}

type Kept = { object: unknown; hash: string; drifted: boolean; looksLeft: number | undefined }

export class MemoryResources<T = unknown> implements ResourceDriver<T> {
  readonly #kept = new Map<string, Kept>()
  readonly #removalPasses: number
  /** How often something was really written. */
  writes = 0

  constructor({ removalPasses = 0 }: MemoryResourcesOptions = {}) {
    this.#removalPasses = removalPasses
  }

  get size(): number {
    return this.#kept.size
  }

  ids(): string[] {
    return [...this.#kept.keys()]
  }

  /** Somebody else changes an object. */
  drift(id: string, object: T): void {
    const kept = this.#kept.get(id)
    if (kept) Object.assign(kept, { object, drifted: true })
  }

  async read(id: string, { signal }: Pass): Promise<ObservedResource<T> | undefined> {
    signal.throwIfAborted()
    const kept = this.#kept.get(id)
    if (!kept) return undefined
    if (kept.looksLeft !== undefined && kept.looksLeft-- <= 0) {
      this.#kept.delete(id)
      return undefined
    }
    const { hash, drifted, looksLeft } = kept
    return { object: kept.object as T, hash, drifted, deleting: looksLeft !== undefined }
  }

  async apply(id: string, desired: T, hash: string, { signal }: Pass): Promise<void> {
    signal.throwIfAborted()
    this.writes += 1
    this.#kept.set(id, { object: desired, hash, drifted: false, looksLeft: undefined })
  }

  async delete(id: string, { signal }: Pass): Promise<void> {
    signal.throwIfAborted()
    const kept = this.#kept.get(id)
    if (kept) kept.looksLeft ??= this.#removalPasses
  }
}
