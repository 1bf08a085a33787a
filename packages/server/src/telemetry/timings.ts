/** Durations by their labels. Counted here, because this is on the way of every request, where the library's way costs too much. */
import type { Counted } from './given-histogram.ts'

type Labels = Readonly<Record<string, string>>
type Series = { readonly labels: Labels; readonly counts: number[]; count: number; sum: number }

export class Timings {
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, Series>()

  /** `bounds` in seconds, ascending; what takes as long as a bound is still below it. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  /** `id` stands for the labels, which are made when it is new. */
  observe(id: string, labels: () => Labels, seconds: number): void {
    const series = this.#series.get(id) ?? this.#begin(id, labels())
    series.count += 1
    series.sum += seconds
    const at = this.#bounds.findIndex((bound) => seconds <= bound)
    if (at >= 0) series.counts[at] = (series.counts[at] ?? 0) + 1
  }

  read(): Counted[] {
    return [...this.#series.values()].map(({ labels, count, sum, counts }) => {
      const buckets = this.#bounds.map((below, at) => ({ below, count: counts[at] ?? 0 }))
      return { labels, count, sum, buckets }
    })
  }

  #begin(id: string, labels: Labels): Series {
    const series = { labels, counts: this.#bounds.map(() => 0), count: 0, sum: 0 }
    this.#series.set(id, series)
    return series
  }
}
