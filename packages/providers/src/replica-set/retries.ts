/** When a replica that could not come up may be tried anew: later each time, and at once for another spec. */
const longestMs = 300_000
const firstMs = 1000

export class Retries {
  #specHash = ''
  #failures = 0
  #retryAt = 0
  readonly #counted = new Set<string>()

  /** Told what is seen at every pass; each failed replica counts once. Answers whether one may be made anew now. */
  allow(
    specHash: string,
    replicas: readonly { readonly id: string; readonly failed: unknown; readonly ready: boolean | undefined }[],
    now: number,
  ): boolean {
    // What held up another spec says nothing about this one; and what came up has shown that it can.
    if (specHash !== this.#specHash || replicas.some(({ ready }) => ready)) this.#forget(specHash)
    for (const { id, failed } of replicas) {
      if (failed !== 'again' || this.#counted.has(id)) continue
      this.#counted.add(id)
      this.#failures += 1
      this.#retryAt = now + Math.min(longestMs, firstMs * 2 ** this.#failures)
    }
    return now >= this.#retryAt
  }

  /** Nothing has failed since it last went well. */
  get isEmpty(): boolean {
    return this.#failures === 0
  }

  get retryAt(): number {
    return this.#retryAt
  }

  #forget(specHash: string): void {
    this.#specHash = specHash
    this.#failures = 0
    this.#retryAt = 0
    this.#counted.clear()
  }
}
