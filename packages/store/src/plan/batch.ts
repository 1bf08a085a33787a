/** The working copy of a batch: what was known, and what the commands so far have made of it. Pure: it only remembers. */
import type { GantryObject } from '@gantry/core'
import { stringify } from '../json.ts'
import { isKeyPart, nowhere, type Scope, tenantFor } from '../scope.ts'
import {
  type ChangeRow,
  type Head,
  idOf,
  type Known,
  type Needs,
  type RowKey,
  type Stored,
  type Usage,
} from './rows.ts'

/** Thrown when a plan comes to something nobody has looked up yet; it is looked up, and the plan made anew. */
export class Missing extends Error {
  readonly needs: Needs
  constructor(needs: Partial<Needs>) {
    super('not looked up yet')
    this.needs = { objects: [], children: [], usage: [], ...needs }
  }
}

export type Environment = {
  readonly now: number
  readonly ids: () => string
  /** Fields of a kind's status that say only when somebody looked. */
  readonly ageFields: (kind: string) => ReadonlySet<string>
}

/** A plan that is made anew must come to the same ids, or it would never know what it has asked for. */
export function replayable(environment: Environment): () => Environment {
  const made: string[] = []
  return () => {
    let next = 0
    const ids = (): string => {
      const id = made[next] ?? environment.ids()
      made[next] = id
      next += 1
      return id
    }
    return { ...environment, ids }
  }
}

/** An object as it stands in the batch, and as it stood before. */
export type Entry = { readonly before: Stored | undefined; now: Stored | undefined }

/** What was written, and the JSON it is stored as. */
export type Recorded = { readonly stored: Stored; readonly body: string }

export class Batch {
  readonly scope: Scope
  readonly environment: Environment
  readonly known: Known
  readonly entries = new Map<string, Entry>()
  readonly changes: ChangeRow[] = []
  readonly deltas = new Map<string, Map<string, bigint>>()
  version: number

  constructor(scope: Scope, known: Known, head: Head, environment: Environment) {
    this.scope = scope
    this.known = known
    this.environment = environment
    this.version = head.version
  }

  /** The row a key means to this scope. One that it may not see, or that cannot exist, is nowhere. */
  keyOf(key: { readonly kind: string; readonly tenant?: string; readonly name: string }): RowKey {
    return rowKey(this.scope, key)
  }

  get(key: RowKey): Stored | undefined {
    const id = idOf(key)
    const entry = this.entries.get(id)
    if (entry) return entry.now
    if (!this.known.objects.has(id)) throw new Missing({ objects: [key] })
    return this.known.objects.get(id)
  }

  /** Writes an object as its next version (`put`), or shows it for the last time (`gone`), with a change record. */
  record(type: 'put' | 'gone', key: RowKey, object: GantryObject, usage: Usage): Recorded {
    const id = idOf(key)
    const previous = this.get(key)
    const next = this.#numbered(object)
    const stored = { key, object: next, usage }
    const now = type === 'put' ? stored : undefined
    const body = stringify(next)
    this.#count(key.tenant, previous?.usage, now?.usage)
    this.version += 1
    const labels = previous?.object.metadata.labels
    const labelsBefore =
      labels && type === 'put' && !sameLabels(labels, object.metadata.labels) ? stringify(labels) : null
    const { kind, tenant, name } = key
    this.changes.push({ version: this.version, kind, tenant, name, type, body, labelsBefore, at: this.environment.now })
    const entry = this.entries.get(id)
    if (entry) entry.now = now
    else this.entries.set(id, { before: previous, now })
    return { stored, body }
  }

  #numbered(object: GantryObject): GantryObject {
    const resourceVersion = this.version + 1
    if (object.metadata.resourceVersion === resourceVersion) return object
    return { ...object, metadata: { ...object.metadata, resourceVersion } }
  }

  #count(tenant: string, before: Usage | undefined, after: Usage | undefined): void {
    for (const counter in after) this.#add(tenant, counter, after[counter] ?? 0n)
    for (const counter in before) this.#add(tenant, counter, -(before[counter] ?? 0n))
  }

  #add(tenant: string, counter: string, amount: bigint): void {
    if (amount === 0n) return
    const counters = this.deltas.get(tenant) ?? new Map<string, bigint>()
    this.deltas.set(tenant, counters)
    counters.set(counter, (counters.get(counter) ?? 0n) + amount)
  }

  /** What the tenant used before this batch. */
  usedBefore(tenant: string, counter: string): bigint {
    const counters = this.known.usage.get(tenant)
    if (!counters) throw new Missing({ usage: [tenant] })
    return counters.get(counter) ?? 0n
  }

  childrenOf(uids: readonly string[]): RowKey[] {
    const unknown = uids.filter((uid) => !this.known.children.has(uid))
    if (unknown.length > 0) throw new Missing({ children: unknown })
    const stored = uids.flatMap((uid) => this.known.children.get(uid) ?? [])
    const objects = stored.filter((key) => !this.entries.has(idOf(key)) && !this.known.objects.has(idOf(key)))
    if (objects.length > 0) throw new Missing({ objects })
    // Ownership may have changed, or begun, within this batch: the objects themselves decide.
    const inBatch = [...this.entries.values()].flatMap((entry) => (entry.now ? [entry.now.key] : []))
    const owned = (key: RowKey): boolean =>
      this.get(key)?.object.metadata.ownerRefs.some((ref) => uids.includes(ref.uid)) ?? false
    return [...new Map([...stored, ...inBatch].map((key) => [idOf(key), key])).values()].filter(owned)
  }
}

export function rowKey(
  scope: Scope,
  key: { readonly kind: string; readonly tenant?: string; readonly name: string },
): RowKey {
  const tenant = key.tenant ?? ''
  const sound = isKeyPart(key.kind) && isKeyPart(key.name) && (tenant === '' || isKeyPart(tenant))
  if (!sound) return { kind: nowhere, tenant: nowhere, name: nowhere }
  return { kind: key.kind, tenant: tenantFor(scope, tenant), name: key.name }
}

export function sameLabels(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
}
