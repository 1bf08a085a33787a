/**
 * One feed for all who follow the same source: several controllers care about a kind, each about other changes of it, and
 * what is known of ten thousand objects is known once.
 */
import type { Clock, Fault, GantryObject } from '@gantry/core'
import type { Seen } from './feed.ts'
import { SharedFeed } from './shared-feed.ts'
import type { Source } from './source.ts'

export type FeedsOptions = {
  readonly clock: Clock
  /** From 0 up to 1: jitter. */
  readonly random: () => number
  /** A source could not be read; it is tried again. */
  readonly onTrouble: (fault: Fault) => void
}

export type FeedListener = {
  /** What counts as different. Those who give the same function share what it made of each object. */
  readonly revision: (object: GantryObject) => string | number
  /** A new object, or one with another revision. `listed`: found by a list, so it may have been like this for long. */
  readonly onChange: (seen: Seen, how: { readonly listed: boolean }) => void
  readonly onGone: (seen: Seen) => void
}

export type Following = {
  /** Everything that is known, by its text. */
  readonly seen: ReadonlyMap<string, Seen>
  /** Reads everything, and tells whoever follows the differences to what was known. */
  list(signal: AbortSignal): Promise<void>
  /** Nothing is told any more. Resolves when nothing goes on for it; twice is harmless. */
  leave(): Promise<void>
}

export class Feeds {
  readonly #options: FeedsOptions
  /** Those that have not begun: a listener that comes later would not learn what was told before. */
  readonly #open = new Map<Source, SharedFeed>()

  constructor(options: FeedsOptions) {
    this.#options = options
  }

  /** Who joins a source in the same turn shares a feed of it, which begins with everything that is there. */
  join(source: Source, listener: FeedListener): Following {
    const open = this.#open.get(source)
    if (open) return open.join(listener)
    const feed = new SharedFeed(source, this.#options)
    this.#open.set(source, feed)
    queueMicrotask(() => {
      this.#open.delete(source)
      feed.begin()
    })
    return feed.join(listener)
  }
}
