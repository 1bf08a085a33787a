/**
 * Follows a source for as long as the controller runs: lists, follows the changes, and lists again when they have
 * expired. Tells only what became different, so a lost event costs latency until the next list and nothing else.
 */
import {
  asFault,
  type Clock,
  type Fault,
  type GantryObject,
  isFault,
  type ObjectKey,
  type OwnerRef,
  sleep,
} from '@gantry/core'
import { keyOf, keyText } from './object-facts.ts'
import { doubling } from './retry-policy.ts'
import type { Source } from './source.ts'

export type Seen = {
  readonly key: ObjectKey
  /** The key as one text. */
  readonly text: string
  readonly uid: string
  readonly revision: string | number
  readonly resourceVersion: number
  readonly owners: readonly OwnerRef[]
}

export type FeedOptions = {
  readonly source: Source
  readonly clock: Clock
  readonly random: () => number
  /** What counts as different. */
  readonly revision: (object: GantryObject) => string | number
  /** A new object, or one with another revision. `listed`: found by a list, so it may have been like this for long. */
  readonly onChange: (object: GantryObject, how: { readonly listed: boolean }, seen: Seen) => void
  readonly onGone: (seen: Seen) => void
  /** The source could not be read; it is tried again. */
  readonly onTrouble: (fault: Fault) => void
}

const pageSize = 500
const retryMs = [50, 10_000] as const

export class Feed {
  readonly #options: FeedOptions
  readonly #seen = new Map<string, Seen>()
  #since = 0
  #failures = 0
  /** What went while a list was being read; an older page must not bring it back. */
  #vanished = new Set<string>()

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Resolves when the signal ends, and never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    let listed = false
    while (!signal.aborted) {
      try {
        if (!listed) await this.list(signal)
        listed = true
        await this.#followChanges(signal)
      } catch (error) {
        if (signal.aborted) return
        if (isFault(error, 'expired')) listed = false
        else this.#options.onTrouble(asFault(error))
      }
      this.#failures += 1
      await this.#pause(signal)
    }
  }

  /** Reads everything and tells the differences to what was known. */
  async list(signal: AbortSignal): Promise<void> {
    const missing = new Set(this.#seen.keys())
    this.#vanished = new Set()
    const first = await this.#page(undefined, signal)
    for (let page = first; ; page = await this.#page(page.continue, signal)) {
      for (const object of page.items) {
        const text = keyText(keyOf(object))
        missing.delete(text)
        if (!this.#vanished.has(text)) this.#put(object, true)
      }
      if (page.continue === undefined) break
    }
    this.#since = Math.max(this.#since, first.resourceVersion)
    for (const text of missing) this.#gone(text)
  }

  /** Everything known, by its text. */
  get seen(): ReadonlyMap<string, Seen> {
    return this.#seen
  }

  #page(token: string | undefined, signal: AbortSignal) {
    const query = token === undefined ? { limit: pageSize } : { limit: pageSize, continue: token }
    return this.#options.source.list(query, { signal })
  }

  async #followChanges(signal: AbortSignal): Promise<void> {
    for await (const change of this.#options.source.changes(this.#since, { signal })) {
      if (change.type === 'put') this.#put(change.object, false)
      else if (change.type === 'gone') this.#gone(keyText(keyOf(change.object)))
      this.#since = change.resourceVersion
      this.#failures = 0
    }
  }

  #put(object: GantryObject, listed: boolean): void {
    const { uid, resourceVersion, ownerRefs: owners } = object.metadata
    const revision = this.#options.revision(object)
    const asked = keyText(keyOf(object))
    const before = this.#seen.get(asked)
    if (before && (before.revision === revision || before.resourceVersion > resourceVersion)) return
    // Many hold on to these texts for as long as the object is there: they are the same ones each time.
    const { key, text } = before ?? { key: keyOf(object), text: asked }
    const seen = { key, text, uid: before?.uid === uid ? before.uid : uid, revision, resourceVersion, owners }
    this.#seen.set(text, seen)
    this.#options.onChange(object, { listed }, seen)
  }

  #gone(text: string): void {
    const seen = this.#seen.get(text)
    if (!seen) return
    this.#seen.delete(text)
    this.#vanished.add(text)
    this.#options.onGone(seen)
  }

  /** A feed that ends or fails at once must not become a busy loop. */
  async #pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const ms = doubling(retryMs, this.#failures) * (1 - this.#options.random() / 2)
    await sleep(this.#options.clock, ms, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}
