/**
 * The objects that were looked at lately. Only this process writes to its file, so what is kept here is what is there: the
 * rows that a transaction writes are forgotten before it is answered, and with one that fails, everything is.
 * Looking for what is absent always costs the same: that it was not there is kept for the write that may follow, only.
 */
import { decodeUsage } from '../plan/net-rows.ts'
import type { Usage } from '../plan/rows.ts'
import { StoredJson } from '../stored-json.ts'

/** Of each of the two generations: objects, and characters of their JSON. */
const mostRows = 1000
const mostCharacters = 2_000_000
/** Names that were looked for in vain. */
const mostAbsent = 500

export class CachedRow extends StoredJson {
  readonly #usage: string | null

  constructor(text: string, usage: string | null) {
    super(text)
    this.#usage = usage
  }

  get usage(): Usage {
    return decodeUsage(this.#usage)
  }
}

/** Two generations: what was used since the last change of generation, and what was used in the one before. */
export class RowCache {
  #young = new Map<string, CachedRow>()
  #old = new Map<string, CachedRow>()
  #characters = 0
  readonly #absent = new Set<string>()

  get(id: string): CachedRow | undefined {
    const young = this.#young.get(id)
    if (young) return young
    const old = this.#old.get(id)
    if (old) this.keep(id, old)
    return old
  }

  /** Was looked for and is not there, and nobody has written it since. */
  isAbsent(id: string): boolean {
    return this.#absent.has(id)
  }

  noteAbsent(id: string): void {
    if (this.#absent.size >= mostAbsent) this.#absent.clear()
    this.#absent.add(id)
  }

  keep(id: string, row: CachedRow): void {
    this.#absent.delete(id)
    if (this.#young.size >= mostRows || this.#characters >= mostCharacters) {
      this.#old = this.#young
      this.#young = new Map()
      this.#characters = 0
    }
    this.#young.set(id, row)
    this.#characters += row.text.length
  }

  forget(id: string): void {
    this.#young.delete(id)
    this.#old.delete(id)
    this.#absent.delete(id)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#absent.clear()
    this.#characters = 0
  }
}
