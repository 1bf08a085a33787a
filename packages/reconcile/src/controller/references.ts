/** Who depends on what: filled from the `references` of results, asked when a referenced object changes. */

export class References {
  readonly #of = new Map<string, readonly string[]>()
  readonly #by = new Map<string, Set<string>>()

  /** Replaces what `key` refers to. */
  set(key: string, references: readonly string[]): void {
    for (const before of this.#of.get(key) ?? []) this.#drop(before, key)
    if (references.length === 0) this.#of.delete(key)
    else this.#of.set(key, references)
    for (const reference of references) {
      const by = this.#by.get(reference)
      if (by) by.add(key)
      else this.#by.set(reference, new Set([key]))
    }
  }

  /** The keys whose last pass referred to this object. */
  to(reference: string): readonly string[] {
    return [...(this.#by.get(reference) ?? [])]
  }

  /** How many objects are referred to; 0 after everything was forgotten. */
  get size(): number {
    return this.#by.size
  }

  #drop(reference: string, key: string): void {
    const by = this.#by.get(reference)
    by?.delete(key)
    if (by?.size === 0) this.#by.delete(reference)
  }
}
