/** What can be done with the objects of one kind. */
import type { KindName, ObjectOf, WrittenKindName } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import type { EventPage, ObjectEvent } from '../schemas/event.ts'
import type { ObjectChange, ObjectPage } from '../schemas/list.ts'
import type { ObjectInput, ObjectPatch } from '../schemas/write.ts'
import { type CallOptions, perform } from './call.ts'
import { type Paged, paged } from './pages.ts'
import { type Streaming, type Watcher, watch } from './watch.ts'

export type ListOptions = CallOptions & {
  /** As kubectl writes it: `team=web, tier in (a, b), !legacy`. */
  readonly labelSelector?: string | undefined
  /** How many a page has; all pages are read. */
  readonly limit?: number | undefined
}

export type WatchOptions = CallOptions & {
  readonly labelSelector?: string | undefined
  /** Everything after this version; left out: from now on. */
  readonly since?: number | undefined
}

export type WriteOptions = CallOptions & {
  /** Only over this generation, else `generation_conflict`. */
  readonly ifGeneration?: number | undefined
}

export type PutOptions = WriteOptions & {
  /** Only if there is none, else `already_exists`. */
  readonly ifAbsent?: boolean | undefined
}

export interface ListClient<Name extends KindName> {
  /** Every object, page by page as they are read. */
  list(options?: ListOptions): Paged<ObjectOf<Name>, ObjectPage<Name>>
  /** Every change in order and without a gap; `expired` if `since` is no longer known. */
  watch(options?: WatchOptions): AsyncIterableIterator<ObjectChange<Name>, undefined>
}

export interface LookClient<Name extends KindName> extends ListClient<Name> {
  /** One object; `not_found` if there is none. */
  get(name: string, options?: CallOptions): Promise<ObjectOf<Name>>
  /** What happened to it, newest first. */
  events(name: string, options?: CallOptions): Paged<ObjectEvent, EventPage>
}

export interface KindClient<Name extends WrittenKindName> extends LookClient<Name> {
  /** Makes it, or sets its spec, labels and annotations as a whole. */
  put(object: ObjectInput<Name>, options?: PutOptions): Promise<ObjectOf<Name>>
  /** Merges: objects are merged, null removes, the rest replaces. */
  patch(name: string, patch: ObjectPatch<Name>, options?: WriteOptions): Promise<ObjectOf<Name>>
  /** Asks for it to be deleted; it is gone when its finalizers are. */
  delete(name: string, options?: WriteOptions): Promise<ObjectOf<Name>>
}

export type LookEndpoints = { readonly list: Streaming; readonly read: Endpoint; readonly events: Endpoint }

export type KindEndpoints = LookEndpoints & {
  readonly put: Endpoint
  readonly patch: Endpoint
  readonly delete: Endpoint
}

/** Which part of the path is the same for all of them. */
type Place = { readonly tenant?: string }

export function listClient<Name extends KindName>(watcher: Watcher, list: Streaming, place: Place): ListClient<Name> {
  return {
    list: ({ labelSelector, limit, ...options } = {}) =>
      paged((from) => {
        const query = { labelSelector, limit, continue: from }
        return perform(watcher, list, { params: place, query }, options) as Promise<ObjectPage<Name>>
      }),
    watch: ({ labelSelector, since, ...options } = {}) =>
      watch<ObjectChange<Name>>(watcher, list, { params: place, query: { labelSelector, since } }, options),
  }
}

export function lookClient<Name extends KindName>(
  watcher: Watcher,
  group: LookEndpoints,
  place: Place,
): LookClient<Name> {
  return {
    ...listClient<Name>(watcher, group.list, place),
    get: async (name, options = {}) =>
      (await perform(watcher, group.read, { params: { ...place, name } }, options)) as ObjectOf<Name>,
    events: (name, options = {}) =>
      paged((from) => {
        const given = { params: { ...place, name }, query: { continue: from } }
        return perform(watcher, group.events, given, options) as Promise<EventPage>
      }),
  }
}

export function kindClient<Name extends WrittenKindName>(
  watcher: Watcher,
  group: KindEndpoints,
  place: Place,
): KindClient<Name> {
  type Found = ObjectOf<Name>
  const one = async (
    endpoint: Endpoint,
    name: string,
    { ifGeneration, ifAbsent, ...options }: PutOptions,
    body?: unknown,
  ) => {
    const given = { params: { ...place, name }, body, ifGeneration, ifAbsent }
    return (await perform(watcher, endpoint, given, options)) as Found
  }
  return {
    ...lookClient<Name>(watcher, group, place),
    put: (object, options = {}) => one(group.put, object.metadata.name, options, object),
    patch: (name, patch, options = {}) => one(group.patch, name, options, patch),
    delete: (name, options = {}) => one(group.delete, name, options),
  }
}
