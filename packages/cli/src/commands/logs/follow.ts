/** Lines that go on over a restart of the server: asked for again from where they broke off, and none shown twice. */
import type { WorkloadLog } from '@gantry/api'
import { type Clock, type Fault, isFault, sleep } from '@gantry/core'

export type FollowOptions = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** From the beginning, or from this time on. */
  readonly open: (since: Date | undefined) => AsyncIterable<WorkloadLog>
  /** Told once of each loss. */
  readonly lost: (fault: Fault) => Promise<void>
}

/** A line may come so much later than others that were written after it. */
const windowMs = 5000
const firstWaitMs = 250
const longestWaitMs = 5000
/** As a watch does. */
const giveUpAfterMs = 300_000

export async function* followLogs({ clock, signal, open, lost }: FollowOptions): AsyncGenerator<WorkloadLog, void> {
  const recent = new RecentLines()
  let lostAt: number | undefined
  let waitMs = firstWaitMs
  for (;;) {
    try {
      for await (const log of open(recent.resumeFrom())) {
        lostAt = undefined
        waitMs = firstWaitMs
        if (recent.isNew(log)) yield log
      }
      return
    } catch (error) {
      if (signal.aborted || !isFault(error, 'unavailable')) throw error
      if (lostAt === undefined) await lost(error)
      lostAt ??= clock.now()
      if (clock.now() - lostAt > giveUpAfterMs) throw error
      await sleep(clock, waitMs, { signal })
      waitMs = Math.min(2 * waitMs, longestWaitMs)
    }
  }
}

/** Those of the last moments, each as often as it was there: the same line may well be written twice. */
class RecentLines {
  readonly #shown = new Map<string, { readonly at: number; times: number }>()
  #repeated = new Map<string, number>()
  #newest = Number.NEGATIVE_INFINITY

  /** What comes from there on may have been shown; `undefined`: nothing was. */
  resumeFrom(): Date | undefined {
    this.#repeated = new Map([...this.#shown].map(([key, { times }]) => [key, times]))
    return this.#newest === Number.NEGATIVE_INFINITY ? undefined : new Date(this.#newest - windowMs)
  }

  isNew(log: WorkloadLog): boolean {
    const key = JSON.stringify(log)
    const left = this.#repeated.get(key) ?? 0
    this.#repeated.set(key, left - 1)
    if (left > 0) return false
    const at = Date.parse(log.ts)
    this.#shown.set(key, { at, times: (this.#shown.get(key)?.times ?? 0) + 1 })
    if (at > this.#newest) this.#newest = at
    this.#forget()
    return true
  }

  /** In the order of coming, which is nearly that of time. */
  #forget(): void {
    for (const [key, { at }] of this.#shown) {
      if (at >= this.#newest - windowMs) return
      this.#shown.delete(key)
    }
  }
}
