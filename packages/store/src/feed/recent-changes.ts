/**
 * The newest changes, for as long as whoever keeps up may want them. They are bounded by what they take and not only by how
 * many they are: of large objects a few hundred are as much as a thousand of small ones, and the log has them all anyway.
 */
import type { FeedEvent } from './event.ts'

/** Of changes, and of the characters of their JSON. As much again may come before the older ones are let go. */
const most = 1000
const mostCharacters = 1_000_000

export class RecentChanges {
  /** One after the other, without a gap. */
  #events: FeedEvent[] = []
  #characters = 0

  get size(): number {
    return this.#events.length
  }

  /** The change after `version`, if it is still there. */
  after(version: number): FeedEvent | undefined {
    const first = this.#events[0]
    return first && version + 1 >= first.row.version ? this.#events[version + 1 - first.row.version] : undefined
  }

  push(event: FeedEvent): void {
    this.#events.push(event)
    this.#characters += event.row.body.length
  }

  /** Not after each one: what many write together is read together. */
  trim(): void {
    if (this.#events.length <= 2 * most && this.#characters <= 2 * mostCharacters) return
    let from = Math.max(0, this.#events.length - most)
    let characters = this.#charactersFrom(from)
    // The last one stays, whatever it is.
    while (characters > mostCharacters && from < this.#events.length - 1) {
      characters -= this.#events[from]?.row.body.length ?? 0
      from += 1
    }
    this.#events = this.#events.slice(from)
    this.#characters = characters
  }

  forgetUpTo(version: number): void {
    const first = this.#events[0]?.row.version
    if (first === undefined || first > version) return
    this.#events = this.#events.slice(version + 1 - first)
    this.#characters = this.#charactersFrom(0)
  }

  clear(): void {
    this.#events = []
    this.#characters = 0
  }

  #charactersFrom(from: number): number {
    let sum = 0
    for (let at = from; at < this.#events.length; at += 1) sum += this.#events[at]?.row.body.length ?? 0
    return sum
  }
}
