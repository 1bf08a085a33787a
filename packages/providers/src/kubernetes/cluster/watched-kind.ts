/**
 * All objects of one kind that are ours, as they were last heard of: listed, then watched from there on. What we write
 * ourselves is known from the answer, so that who writes reads it; older news of it are not believed then.
 */
import { type Call, type Clock, Fault, isFault, sleep, withDeadline } from '@gantry/core'
import { Grouped } from '../../tended/grouped.ts'
import type { Collection, ObjectsApi, Selection, WatchEvent } from '../api/api.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { isNewer } from './versions.ts'

/** Bookmarks come every minute: who has said nothing for so long is asked anew. */
const silenceMs = 180_000
/** Between two watches of which the first ended at once. */
const pauseMs = 200

type Versioned = { readonly resourceVersion: string }

export type KindParts<Raw extends KubeObject, Seen extends Versioned> = {
  readonly api: ObjectsApi
  readonly clock: Clock
  readonly of: Collection
  readonly which: Selection
  /** `undefined`: it is not ours. */
  readonly trim: (raw: Raw) => Seen | undefined
  readonly groupOf: (seen: Seen) => string
  /** `raw`: what `now` was read from. */
  readonly changed: (now: Seen | undefined, before: Seen | undefined, raw: Raw | undefined) => void
  /** Who may not see them goes without. */
  readonly optional?: boolean
}

export class WatchedKind<Raw extends KubeObject, Seen extends Versioned> {
  /** By uid. */
  readonly items = new Grouped<Seen>()
  readonly #parts: KindParts<Raw, Seen>
  /** By uid: what we know to be gone, until the server says so too. */
  readonly #gone = new Set<string>()
  #version = ''
  #forbidden: Fault | undefined

  constructor(parts: KindParts<Raw, Seen>) {
    this.#parts = parts
  }

  /** Why these cannot be seen. */
  get forbidden(): Fault | undefined {
    return this.#forbidden
  }

  /** Until it fails. `heard`: all of them are known now. */
  async follow(heard: () => void, call: Call): Promise<void> {
    const { clock } = this.#parts
    for (;;) {
      if (!(await this.#list(call))) {
        heard()
        return
      }
      heard()
      try {
        for (;;) {
          const begun = clock.monotonic()
          await this.#watch(call)
          if (clock.monotonic() - begun < pauseMs) await sleep(clock, pauseMs, call)
        }
      } catch (error) {
        call.signal.throwIfAborted()
        if (!isFault(error) || error.reason !== 'version_expired') throw error
      }
    }
  }

  /** An answer to something that we have written. */
  fold(raw: KubeObject): void {
    if (!this.#gone.has(raw.metadata.uid ?? '')) this.#take(raw as Raw)
  }

  /** We know that it is gone. */
  drop(uid: string): void {
    this.#gone.add(uid)
    this.#remove(uid)
  }

  async #list(call: Call): Promise<boolean> {
    const { api, of, which, optional } = this.#parts
    try {
      const { items, metadata } = await api.list<Raw>(of, which, call)
      this.#replace(items, metadata.resourceVersion)
      this.#forbidden = undefined
      return true
    } catch (error) {
      if (!optional || !isFault(error) || error.reason !== 'engine_forbidden') throw error
      this.#forbidden = error
      this.#replace([], '')
      return false
    }
  }

  #replace(items: readonly Raw[], version: string): void {
    const listed = new Set(items.map(({ metadata }) => metadata.uid ?? ''))
    for (const uid of [...this.items.ids()]) {
      // What we have written since is not in an older list.
      const known = this.items.get(uid)
      if (!listed.has(uid) && known && !isNewer(known.resourceVersion, version)) this.#remove(uid)
    }
    for (const uid of this.#gone) if (!listed.has(uid)) this.#gone.delete(uid)
    for (const item of items) if (!this.#gone.has(item.metadata.uid ?? '')) this.#take(item)
    this.#version = version
  }

  async #watch(call: Call): Promise<void> {
    const { api, clock, of, which } = this.#parts
    const quiet = withDeadline(clock, 10 * 365 * 86_400_000, `Watching ${of.resource.plural}`, call)
    let heardAt = clock.monotonic()
    let cancel = (): void => undefined
    const listen = (): void => {
      cancel = clock.after(silenceMs / 2, () => {
        if (clock.monotonic() - heardAt >= silenceMs) quiet.end(silent)
        else listen()
      })
    }
    listen()
    try {
      const events = await api.watch<Raw>(of, { ...which, resourceVersion: this.#version }, quiet)
      for await (const event of events) {
        heardAt = clock.monotonic()
        this.#hear(event)
      }
    } catch (error) {
      if (error !== silent) throw error
    } finally {
      cancel()
      quiet.clear()
    }
  }

  #hear(event: WatchEvent<Raw>): void {
    if (event.type === 'bookmark') {
      this.#version = event.resourceVersion
      return
    }
    const { uid = '', resourceVersion = '' } = event.object.metadata
    this.#version = resourceVersion
    if (event.type === 'deleted') {
      this.#gone.delete(uid)
      this.#remove(uid)
    } else if (!this.#gone.has(uid)) this.#take(event.object)
  }

  #take(raw: Raw): void {
    const { groupOf, trim, changed } = this.#parts
    const { uid = '' } = raw.metadata
    const before = this.items.get(uid)
    const now = trim(raw)
    // Somebody has taken our mark off it.
    if (!now) this.#remove(uid)
    else if (!before || isNewer(now.resourceVersion, before.resourceVersion)) {
      this.items.set(uid, groupOf(now), now)
      changed(now, before, raw)
    }
  }

  #remove(uid: string): void {
    const before = this.items.get(uid)
    if (before && this.items.delete(uid)) this.#parts.changed(undefined, before, undefined)
  }
}

const silent = new Fault('engine_unreachable', 'A watch has said nothing for minutes')
