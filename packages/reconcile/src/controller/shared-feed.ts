/** A feed with several listeners: each hears of what is different to it, and it ends when the last one leaves. */
import { Fault, type GantryObject, orAbort } from '@gantry/core'
import { Feed, type Seen } from './feed.ts'
import type { FeedListener, FeedsOptions, Following } from './feeds.ts'
import { versionOf } from './object-facts.ts'
import type { Source } from './source.ts'

/** Listeners to whom the same is different. */
type Group = {
  readonly revision: FeedListener['revision']
  readonly listeners: Set<FeedListener>
  /** What they were last told of each object, by its text; `undefined`: to them, every write is different. */
  readonly told: Map<string, string | number> | undefined
}

export class SharedFeed {
  readonly #feed: Feed
  readonly #groups: Group[] = []
  readonly #stop = new AbortController()
  #following: Promise<void> = Promise.resolve()
  #listing: Promise<void> | undefined
  #members = 0

  constructor(source: Source, options: FeedsOptions) {
    this.#feed = new Feed({
      ...options,
      source,
      revision: versionOf,
      onChange: (object, how, seen) => this.#changed(object, how, seen),
      onGone: (seen) => this.#gone(seen),
    })
  }

  /** Once, when everybody has joined. */
  begin(): void {
    if (!this.#stop.signal.aborted) this.#following = this.#feed.follow(this.#stop.signal)
  }

  join(listener: FeedListener): Following {
    const { listeners } = this.#group(listener.revision)
    listeners.add(listener)
    this.#members += 1
    return {
      seen: this.#feed.seen,
      list: (signal) => this.#list(signal),
      leave: async () => {
        if (listeners.delete(listener)) this.#members -= 1
        if (this.#members > 0) return
        this.#stop.abort(new Fault('aborted', 'Nobody follows this any more'))
        await this.#following
      },
    }
  }

  #group(revision: FeedListener['revision']): Group {
    const known = this.#groups.find((group) => group.revision === revision)
    if (known) return known
    const told = revision === versionOf ? undefined : new Map<string, string | number>()
    const group = { revision, listeners: new Set<FeedListener>(), told }
    this.#groups.push(group)
    return group
  }

  /** Whoever asks while it is under way gets the same. */
  #list(signal: AbortSignal): Promise<void> {
    this.#listing ??= this.#feed.list(this.#stop.signal).finally(() => {
      this.#listing = undefined
    })
    return orAbort(this.#listing, { signal })
  }

  #changed(object: GantryObject, how: { readonly listed: boolean }, seen: Seen): void {
    for (const { revision, listeners, told } of this.#groups) {
      if (listeners.size === 0) continue
      if (told) {
        const now = revision(object)
        if (told.get(seen.text) === now) continue
        told.set(seen.text, now)
      }
      for (const listener of listeners) listener.onChange(seen, how)
    }
  }

  #gone(seen: Seen): void {
    for (const { listeners, told } of this.#groups) {
      told?.delete(seen.text)
      for (const listener of listeners) listener.onGone(seen)
    }
  }
}
