/** A histogram that somebody else has counted already. */
import { Histogram, type Registry } from 'prom-client'

export type Counted = {
  readonly labels: Readonly<Record<string, string>>
  readonly count: number
  readonly sum: number
  /** How many were below each bound, each counted once; what is above the last one is in `count` alone. */
  readonly buckets: readonly { readonly below: number; readonly count: number }[]
}

export type GivenHistogramOptions = {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  readonly registers: Registry[]
  readonly read: () => readonly Counted[]
}

export class GivenHistogram extends Histogram {
  readonly #about: { readonly name: string; readonly help: string }
  readonly #read: () => readonly Counted[]

  constructor({ name, help, labelNames, registers, read }: GivenHistogramOptions) {
    super({ name, help, labelNames: [...labelNames], registers })
    this.#about = { name, help }
    this.#read = read
  }

  /** Where the library makes the lines of a histogram, from what it has counted itself; its types do not tell of it. */
  async getForPromString(): Promise<object> {
    const { name } = this.#about
    const values = this.#read().flatMap((counted) => valuesOf(name, counted))
    return { ...this.#about, type: 'histogram', aggregator: 'sum', values }
  }
}

function valuesOf(name: string, { labels: sharedLabels, count, sum, buckets }: Counted): object[] {
  let below = 0
  const cumulative = buckets.map((bucket) => {
    below += bucket.count
    return { metricName: `${name}_bucket`, labels: { le: bucket.below }, sharedLabels, value: below }
  })
  return [
    ...cumulative,
    { metricName: `${name}_bucket`, labels: { le: '+Inf' }, sharedLabels, value: count },
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
  ]
}
