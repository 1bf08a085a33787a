/** What the suite is run on, and the few words its cases are written in. */
import { setMaxListeners } from 'node:events'
import type { Call, Clock, GantryObject, ObjectKey } from '@gantry/core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Command, CommandResult, Draft } from '../../command.ts'
import { systemScope, type TenantScope } from '../../scope.ts'
import type { Change, Store } from '../../store.ts'

export type OpenOptions = {
  readonly clock?: Clock
  readonly ids?: () => string
  readonly ageFields?: (kind: string) => readonly string[]
}

/** One empty database of its own. */
export type StoreSubject = {
  /** Opens a store on it; opening it again finds what the one before has left. */
  open(options?: OpenOptions): Promise<Store>
  /** Runs SQL behind the store's back. */
  tamper(sql: string): Promise<void>
  /** Removes the database, after its stores are closed. */
  dispose(): Promise<void>
}

export type MakeSubject = () => Promise<StoreSubject>

export const system = systemScope()
export const call: Call = { signal: new AbortController().signal }
// All the cases share it, and a thousand watchers are no leak.
setMaxListeners(0, call.signal)

let tenants = 0

/** A tenant nobody else uses, so that cases can share a store without seeing each other. */
export function freshTenant(): TenantScope & { key(name: string, kind?: string): ObjectKey } {
  tenants += 1
  const tenant = `tenant-${tenants}`
  return { tenant, key: (name, kind = 'Thing') => ({ kind, tenant, name }) }
}

/** A store for all the cases of a section. */
export function sharedStore(make: MakeSubject, options?: OpenOptions): () => Store {
  let subject: StoreSubject | undefined
  let store: Store | undefined
  beforeAll(async () => {
    subject = await make()
    store = await subject.open(options)
  })
  afterAll(async () => {
    await store?.close()
    await subject?.dispose()
  })
  return () => {
    if (!store) throw new Error('the store is not open')
    return store
  }
}

export const create = (key: ObjectKey, more: Partial<Draft> = {}): Command => ({
  op: 'create',
  draft: { key, spec: { size: 1 }, ...more },
})

export const replace = (key: ObjectKey, spec: unknown, more: Partial<Draft> = {}): Command => ({
  op: 'replace',
  draft: { key, spec, ...more },
})

/** Writes one command for the system, and gives its result. */
export async function write(store: Store, command: Command): Promise<CommandResult> {
  const { results } = await store.write(system, [command], {}, call)
  const [result] = results
  if (!result) throw new Error('no result')
  return result
}

export async function made(store: Store, key: ObjectKey, more: Partial<Draft> = {}): Promise<GantryObject> {
  return (await write(store, create(key, more))).object
}

export const names = (objects: readonly GantryObject[]): string[] => objects.map((object) => object.metadata.name)

/** A refusal by its reason, and by the command it is about. */
export const refused = (reason: string, path?: string): unknown =>
  expect.objectContaining({ reason, ...(path === undefined ? {} : { issues: [expect.objectContaining({ path })] }) })

/** The next `count` changes other than bookmarks. */
export async function take(changes: AsyncIterable<Change>, count: number): Promise<Change[]> {
  const taken: Change[] = []
  if (count === 0) return taken
  for await (const change of changes) {
    if (change.type === 'bookmark') continue
    taken.push(change)
    if (taken.length === count) break
  }
  return taken
}

/** Everything up to the first bookmark. */
export async function untilBookmark(changes: AsyncIterable<Change>): Promise<Change[]> {
  const seen: Change[] = []
  for await (const change of changes) {
    seen.push(change)
    if (change.type === 'bookmark') break
  }
  return seen
}

export const brief = (change: Change): string =>
  change.type === 'bookmark' ? 'bookmark' : `${change.type} ${change.object.metadata.name}`
