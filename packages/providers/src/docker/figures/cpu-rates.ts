/** Rates of cpu time out of counters: pure but for what it remembers. */
import type { Reading } from './readings.ts'

type Counted = Pick<Reading, 'at' | 'cpuNanos'>
/** `last` is the newest reading that was far enough from the one before to compare with. */
type Remembered = { readonly run: number | undefined; readonly base: Counted; readonly last: Counted }

/** Over less than this a rate says nothing: who asks again sooner is answered over the time before too. */
const shortestMs = 1_000
/** What nobody has asked for in so long is gone, or as good as new. */
const forgetMs = 10 * 60_000

export class CpuRates {
  readonly #remembered = new Map<string, Remembered>()

  /** Thousandths of one core since the last look, at first since it was started; `undefined` where neither is known. */
  millis(id: string, reading: Counted, startedAt: number | undefined): number | undefined {
    const before = this.#before(id, reading, startedAt)
    const base = before?.base ?? (startedAt === undefined ? undefined : { at: startedAt, cpuNanos: 0 })
    this.#remembered.set(id, { run: startedAt, base: base ?? reading, last: before?.last ?? reading })
    const elapsedMs = base ? reading.at - base.at : 0
    if (!base || elapsedMs <= 0) return undefined
    return Math.round((reading.cpuNanos - base.cpuNanos) / (elapsedMs * 1_000))
  }

  /** What was counted of the same run. */
  #before(id: string, reading: Counted, startedAt: number | undefined): Omit<Remembered, 'run'> | undefined {
    const known = this.#remembered.get(id)
    const isSame = known && known.run === startedAt && known.last.cpuNanos <= reading.cpuNanos
    if (!isSame || reading.at - known.last.at > forgetMs) return undefined
    return reading.at - known.last.at < shortestMs ? known : { base: known.last, last: reading }
  }

  /** Lets go of what was not asked for in a long time. */
  forget(now: number): void {
    for (const [id, { last }] of this.#remembered) if (now - last.at > forgetMs) this.#remembered.delete(id)
  }
}
