/** Requests and errors of each slot over time, from counters that begin anew with every run of the edge. */
import type { Counts, EdgeFigures } from '@gantry/edge'
import type { Slot } from '@gantry/providers'

export type SlotCount = { readonly requests: number; readonly errors: number }
type Sample = SlotCount & { readonly at: number }
type Series = { readonly samples: Sample[]; seen: SlotCount }

/** Then every second one of the older half goes, so that long steps can be looked back on too. */
const mostSamples = 1024

export class SlotSeries {
  readonly #series = new Map<string, Series>()
  #run: string | undefined

  /** What the edge has counted, as of `at`. */
  record(figures: EdgeFigures, at: number): void {
    // What was counted before anybody listened is nobody's: those slots begin with what they have.
    const isFirst = this.#run === undefined
    const isNewRun = this.#run !== figures.run
    this.#run = figures.run
    for (const [key, count] of countsBySlot(figures)) {
      const series = this.#series.get(key)
      if (series) add(series, count, at, isNewRun)
      else this.#series.set(key, begin(count, at, isFirst))
    }
  }

  /** Of a slot of a workload since then, as far as it is known; `undefined` where nobody has counted. */
  since(uid: string, slot: Slot, since: number): SlotCount | undefined {
    const samples = this.#series.get(`${uid}/${slot}`)?.samples
    const last = samples?.at(-1)
    if (!samples || !last) return undefined
    const from = samples.findLast(({ at }) => at <= since) ?? samples[0] ?? last
    return { requests: last.requests - from.requests, errors: last.errors - from.errors }
  }

  /** Those of workloads that are gone. */
  keepOnly(uids: ReadonlySet<string>): void {
    for (const key of this.#series.keys()) if (!uids.has(key.slice(0, -2))) this.#series.delete(key)
  }
}

function begin(count: SlotCount, at: number, isFirst: boolean): Series {
  const none = { at, requests: 0, errors: 0 }
  return { samples: isFirst ? [none] : [none, { at, ...count }], seen: count }
}

function add(series: Series, count: SlotCount, at: number, isNewRun: boolean): void {
  const { samples, seen } = series
  const last = samples.at(-1) ?? { requests: 0, errors: 0 }
  const before = isNewRun || count.requests < seen.requests ? { requests: 0, errors: 0 } : seen
  const requests = last.requests + count.requests - before.requests
  const errors = last.errors + Math.max(0, count.errors - before.errors)
  series.seen = count
  // Since then nothing was asked: most slots of most workloads, second after second.
  if (samples.length > 0 && requests === last.requests && errors === last.errors) return
  samples.push({ at, requests, errors })
  if (samples.length > mostSamples) thin(samples)
}

function thin(samples: Sample[]): void {
  const half = samples.length >> 1
  const older = samples.splice(0, half).filter((_, at) => at % 2 === 0)
  samples.unshift(...older)
}

/** Several routes may lead to one slot. */
function countsBySlot({ routes }: EdgeFigures): Map<string, SlotCount> {
  const sums = new Map<string, SlotCount>()
  for (const { workload, slots } of routes) {
    for (const slot of slots) {
      const key = `${workload}/${slot.slot}`
      const sum = sums.get(key) ?? { requests: 0, errors: 0 }
      sums.set(key, { requests: sum.requests + judged(slot), errors: sum.errors + errorsOf(slot) })
    }
  }
  return sums
}

/** A client that went away says nothing about who was to answer it. */
const judged = ({ requests, failures }: Counts): number => requests - failures.client

function errorsOf({ answers, failures }: Counts): number {
  return answers[4] + failures.connect + failures.reset + failures.timeout + failures.bad_answer
}
