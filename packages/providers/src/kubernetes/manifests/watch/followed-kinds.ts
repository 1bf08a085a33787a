/**
 * Kinds that are watched for as long as somebody has objects of them: which ones is only known from what users bring. One that
 * the cluster does not have (yet), or does not show us, counts as empty, and is asked for again.
 */
import { type Call, type Clock, isFault, onAbort, sleep } from '@gantry/core'
import type { Collection, ObjectsApi, Selection } from '../../api/api.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { WatchedKind } from '../../cluster/watched-kind.ts'
import type { SeenObject } from './seen-object.ts'

export type Follow = {
  readonly key: string
  readonly of: Collection
  readonly which: Selection
  readonly trim: (raw: KubeObject) => SeenObject
}

export type FollowedParts = {
  readonly api: ObjectsApi
  readonly clock: Clock
  readonly changed: (key: string, now: KubeObject | undefined, before: KubeObject | undefined) => void
}

type Followed = {
  readonly follow: Follow
  readonly kind: WatchedKind<KubeObject, SeenObject>
  readonly over: AbortController
  heard: boolean
  /** Nobody may tell us. */
  hidden: boolean
}

/** How long until a kind that is not there is asked for again. */
const absentMs = 1000
const hiddenMs = 30_000

export const placeKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`

export class FollowedKinds {
  readonly #parts: FollowedParts
  readonly #all = new Map<string, Followed>()
  #running: { readonly call: Call; readonly heard: () => void; readonly broken: (error: unknown) => void } | undefined

  constructor(parts: FollowedParts) {
    this.#parts = parts
  }

  /** These and no others, from now on. */
  want(follows: Iterable<Follow>): void {
    const wanted = new Map([...follows].map((follow) => [follow.key, follow]))
    for (const [key, { over }] of this.#all) {
      if (wanted.has(key)) continue
      this.#all.delete(key)
      over.abort(noLonger)
    }
    for (const [key, follow] of wanted) if (!this.#all.has(key)) this.#add(follow)
  }

  /** All that are wanted were listed since it began to run. */
  get isHeard(): boolean {
    return [...this.#all.values()].every(({ heard }) => heard)
  }

  /** `unknown`: not listed yet, or not shown to us. */
  find(key: string, namespace: string | undefined, name: string): SeenObject | 'unknown' | undefined {
    const followed = this.#all.get(key)
    if (!followed?.heard || followed.hidden) return 'unknown'
    return followed.kind.items.of(placeKey(namespace, name)).at(-1)
  }

  *objects(key: string): IterableIterator<KubeObject> {
    for (const { object } of this.#all.get(key)?.kind.items.values() ?? []) yield object
  }

  /** Follows until one of them is lost. `heard`: another one was listed. */
  async run(heard: () => void, call: Call): Promise<void> {
    for (const followed of this.#all.values()) followed.heard = false
    await new Promise<void>((_, reject) => {
      const leave = onAbort(call.signal, () => broken(call.signal.reason))
      const broken = (error: unknown): void => {
        leave()
        this.#running = undefined
        reject(error)
      }
      this.#running = { call, heard, broken }
      for (const followed of this.#all.values()) this.#start(followed)
      if (this.#all.size === 0) heard()
    })
  }

  #add(follow: Follow): void {
    const { api, clock, changed } = this.#parts
    const { key, of, which, trim } = follow
    const kind = new WatchedKind<KubeObject, SeenObject>({
      api,
      clock,
      of,
      which,
      trim,
      groupOf: ({ object: { metadata } }) => placeKey(metadata.namespace, metadata.name),
      changed: (now, before) => changed(key, now?.object, before?.object),
      optional: true,
    })
    const followed: Followed = { follow, kind, over: new AbortController(), heard: false, hidden: false }
    this.#all.set(key, followed)
    this.#start(followed)
  }

  #start(followed: Followed): void {
    const running = this.#running
    if (!running) return
    const own = new AbortController()
    const leaves = [running.call.signal, followed.over.signal].map((signal) =>
      onAbort(signal, () => own.abort(signal.reason)),
    )
    this.#keep(followed, running.heard, own)
      .catch((error: unknown) => {
        if (!followed.over.signal.aborted) running.broken(error)
      })
      .finally(() => {
        for (const leave of leaves) leave()
      })
  }

  /** Ends only by throwing. */
  async #keep(followed: Followed, heard: () => void, call: Call): Promise<never> {
    const { clock } = this.#parts
    const isHeard = (): void => {
      followed.heard = true
      followed.hidden = followed.kind.forbidden !== undefined
      heard()
    }
    for (;;) {
      try {
        await followed.kind.follow(isHeard, call)
        await sleep(clock, hiddenMs, call)
      } catch (error) {
        call.signal.throwIfAborted()
        if (!isFault(error) || error.reason !== 'engine_object_not_found') throw error
        isHeard()
        await sleep(clock, absentMs, call)
      }
    }
  }
}

const noLonger = new Error('no longer followed')
