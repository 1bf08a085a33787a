/** Counts durations into buckets of powers of two, cheaply enough for the hot path. */

export type Durations = {
  readonly count: number
  readonly totalMs: number
  readonly maxMs: number
  /** `buckets[0]` counts what took less than 1 ms, `buckets[n]` what took less than 2^n ms; each duration is in one bucket. */
  readonly buckets: readonly number[]
}

/** The last bucket begins at 2^23 ms, which is over two hours. */
const bucketCount = 25

export class DurationCounter {
  #count = 0
  #totalMs = 0
  #maxMs = 0
  readonly #buckets = new Float64Array(bucketCount)

  record(ms: number): void {
    this.#count += 1
    this.#totalMs += ms
    if (ms > this.#maxMs) this.#maxMs = ms
    const bucket = Math.min(32 - Math.clz32(ms), bucketCount - 1)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
  }

  read(): Durations {
    return { count: this.#count, totalMs: this.#totalMs, maxMs: this.#maxMs, buckets: [...this.#buckets] }
  }
}
