/** Objects of one kind in memory, with their change feed: a small and honest stand-in for a store. */
import {
  type Call,
  type Clock,
  Fault,
  type GantryObject,
  type ObjectKey,
  type OwnerRef,
  type Status,
} from '@gantry/core'
import { keyOf, keyText } from '../controller/object-facts.ts'
import type { Source, SourceChange, SourcePage } from '../controller/source.ts'
import type { FencedCall, ManagedObjects } from '../managed/managed-objects.ts'
import { ChangeLog } from './change-log.ts'

export type NewObject = {
  readonly tenant?: string
  readonly spec?: unknown
  readonly owners?: readonly OwnerRef[]
  readonly finalizers?: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
}

export class MemoryObjects implements Source, ManagedObjects {
  readonly kind: string
  readonly log = new ChangeLog()
  readonly #clock: Clock
  readonly #objects = new Map<string, GantryObject>()
  #uids = 0
  /** Writes with a lower fence are refused, as a store refuses them. */
  fence = 0n

  constructor(kind: string, clock: Clock) {
    this.kind = kind
    this.#clock = clock
  }

  /** As a user writes it: made, or its spec replaced. */
  apply(
    name: string,
    { tenant = 'acme', spec = {}, owners = [], finalizers = [], annotations = {} }: NewObject = {},
  ): GantryObject {
    const before = this.#objects.get(keyText({ kind: this.kind, tenant, name }))
    if (before) {
      const { generation } = before.metadata
      return this.#put({
        ...before,
        spec,
        metadata: {
          ...before.metadata,
          generation: generation + 1,
          annotations: { ...before.metadata.annotations, ...annotations },
        },
      })
    }
    this.#uids += 1
    const metadata = {
      name,
      tenant,
      uid: `uid-${this.kind}-${this.#uids}`,
      labels: {},
      annotations,
      generation: 1,
      resourceVersion: 0,
      ownerRefs: owners,
      finalizers,
      createdAt: new Date(this.#clock.now()).toISOString(),
    }
    return this.#put({ apiVersion: 'gantry/v1', kind: this.kind, metadata, spec, status: {} })
  }

  /** As a user deletes it: gone at once without finalizers, otherwise asked to go. */
  delete(name: string, tenant = 'acme'): void {
    const object = this.find(name, tenant)
    if (!object) return
    if (object.metadata.finalizers.length === 0) this.#remove(object)
    else
      this.#put({
        ...object,
        metadata: { ...object.metadata, deletionRequestedAt: new Date(this.#clock.now()).toISOString() },
      })
  }

  /** As another writer does it, whatever anybody else is doing. */
  setFinalizers(name: string, finalizers: readonly string[], tenant = 'acme'): void {
    const object = this.find(name, tenant)
    if (object) this.#replaceFinalizers(object, finalizers)
  }

  setStatus(name: string, status: Status, tenant = 'acme'): void {
    const object = this.find(name, tenant)
    if (object) this.#put({ ...object, status })
  }

  find(name: string, tenant = 'acme'): GantryObject | undefined {
    return this.#objects.get(keyText({ kind: this.kind, tenant, name }))
  }

  async list({ limit, continue: after }: { limit: number; continue?: string }, { signal }: Call): Promise<SourcePage> {
    signal.throwIfAborted()
    const texts = [...this.#objects.keys()].sort().filter((text) => after === undefined || text > after)
    const items = texts.slice(0, limit).flatMap((text) => this.#objects.get(text) ?? [])
    const last = texts[limit - 1]
    const page = { items, resourceVersion: this.log.version }
    return texts.length > limit && last !== undefined ? { ...page, continue: last } : page
  }

  changes(since: number, call: Call): AsyncIterable<SourceChange> {
    return this.log.follow(since, call)
  }

  async read(key: ObjectKey, { signal }: Call): Promise<GantryObject | undefined> {
    signal.throwIfAborted()
    return this.#objects.get(keyText(key))
  }

  async addFinalizer(object: GantryObject, finalizer: string, call: FencedCall): Promise<GantryObject> {
    const current = this.#unmoved(object, call)
    return this.#replaceFinalizers(current, [...current.metadata.finalizers, finalizer])
  }

  async removeFinalizer(object: GantryObject, finalizer: string, call: FencedCall): Promise<void> {
    const current = this.#unmoved(object, call)
    this.#replaceFinalizers(
      current,
      current.metadata.finalizers.filter((other) => other !== finalizer),
    )
  }

  async writeStatus(object: GantryObject, status: Status, call: FencedCall): Promise<GantryObject> {
    return this.#put({ ...this.#unmoved(object, call), status })
  }

  #unmoved(object: GantryObject, { signal, fence }: FencedCall): GantryObject {
    signal.throwIfAborted()
    const key = keyText(keyOf(object))
    if (fence < this.fence) throw new Fault('stale_fence', `${key} is worked on by another process now`)
    const current = this.#objects.get(key)
    if (!current) throw new Fault('object_not_found', `${key} is gone`)
    if (current.metadata.resourceVersion === object.metadata.resourceVersion) return current
    throw new Fault('version_conflict', `${key} has moved since it was read`)
  }

  #replaceFinalizers(object: GantryObject, finalizers: readonly string[]): GantryObject {
    const changed = { ...object, metadata: { ...object.metadata, finalizers } }
    if (object.metadata.deletionRequestedAt === undefined || finalizers.length > 0) return this.#put(changed)
    this.#remove(changed)
    return changed
  }

  #put(object: GantryObject): GantryObject {
    const resourceVersion = this.log.version + 1
    const stamped = { ...object, metadata: { ...object.metadata, resourceVersion } }
    this.#objects.set(keyText(keyOf(object)), stamped)
    this.log.append({ type: 'put', object: stamped, resourceVersion })
    return stamped
  }

  #remove(object: GantryObject): void {
    this.#objects.delete(keyText(keyOf(object)))
    this.log.append({ type: 'gone', object, resourceVersion: this.log.version + 1 })
  }
}
