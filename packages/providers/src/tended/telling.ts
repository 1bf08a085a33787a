/** Who wants to know, and what they are told: once per turn, however much has changed in it. */
import type { Clock } from '@gantry/core'
import { type Ref, refKey } from '../ref.ts'
import type { SiteEvent } from './tended-site.ts'

/** How long it is not told that a replica has come nearer to being ready, unless it is. */
const nearerMs = 100

export class Telling {
  readonly #clock: Clock
  readonly #listeners = new Set<(event: SiteEvent) => void>()
  readonly #dirty = new Map<string, Ref>()
  readonly #nearing = new Map<string, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  listen(listener: (event: SiteEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  changed(ref: Ref): void {
    this.#cancelNearer(ref)
    if (this.#dirty.size === 0) queueMicrotask(() => this.#tellChanges())
    this.#dirty.set(refKey(ref), ref)
  }

  /** Every word about a replica is written down by who hears it: its services that are up one by one make one word. */
  nearer(ref: Ref): void {
    const key = refKey(ref)
    if (this.#nearing.has(key)) return
    this.#nearing.set(
      key,
      this.#clock.after(nearerMs, () => this.changed(ref)),
    )
  }

  gone(ref: Ref): void {
    this.#cancelNearer(ref)
    this.#dirty.delete(refKey(ref))
    this.tell({ type: 'gone', ref })
  }

  tell(event: SiteEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  close(): void {
    for (const cancel of this.#nearing.values()) cancel()
  }

  #cancelNearer(ref: Ref): void {
    this.#nearing.get(refKey(ref))?.()
    this.#nearing.delete(refKey(ref))
  }

  #tellChanges(): void {
    const dirty = [...this.#dirty.values()]
    this.#dirty.clear()
    for (const ref of dirty) this.tell({ type: 'changed', ref })
  }
}
