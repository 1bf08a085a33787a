/**
 * What changed while runs were under way. Which objects a run refers to is known only when it has ended; one that changed
 * in between, after it was read, would otherwise be noticed by nobody.
 */
export type Witness = {
  /** Whether this object changed since the witness began. */
  saw(reference: string): boolean
  /** Twice is harmless. */
  end(): void
}

export class Witnesses {
  readonly #open = new Set<Set<string>>()

  begin(): Witness {
    const seen = new Set<string>()
    this.#open.add(seen)
    return { saw: (reference) => seen.has(reference), end: () => void this.#open.delete(seen) }
  }

  /** Costs as much as there are runs under way. */
  tell(reference: string): void {
    for (const seen of this.#open) seen.add(reference)
  }
}
