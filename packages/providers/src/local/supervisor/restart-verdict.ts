/** Pure: whether a process that ended is started again, and when. */
import type { RestartRule } from './process-spec.ts'

const hourMs = 3_600_000

export const usualBackoff = { firstMs: 200, longestMs: 30_000, stableMs: 60_000 }

/** To try a start that cannot be costs next to nothing; and whoever has put the program there waits for this. */
const longestUnstartedMs = 5000

export type RunEnd = {
  /** Left out: it could not be started at all. */
  readonly code?: number | 'unknown'
  /** How long the run lasted. */
  readonly lastedMs: number
  readonly now: number
}

/** What earlier ends have left behind. */
export type RestartHistory = {
  /** Times of restarts within the last hour. */
  readonly restarts: readonly number[]
  /** Ends in a row, none of them after a stable run. */
  readonly inARow: number
}

export const noHistory: RestartHistory = { restarts: [], inARow: 0 }

export type RestartVerdict =
  | { readonly outcome: 'again'; readonly at: number; readonly history: RestartHistory }
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'failed'; readonly tooMany: boolean }

/** An end that nobody saw counts as a failure: to take it for a success would be to make one up. */
export function restartVerdict(end: RunEnd, rule: RestartRule, history: RestartHistory): RestartVerdict {
  const { firstMs, longestMs, stableMs } = rule.backoff ?? usualBackoff
  const again = rule.policy === 'always' || (rule.policy === 'on_failure' && end.code !== 0)
  if (!again) return end.code === 0 ? { outcome: 'ended' } : { outcome: 'failed', tooMany: false }
  const inARow = end.lastedMs >= stableMs ? 1 : history.inARow + 1
  const longest = end.code === undefined ? Math.min(longestMs, longestUnstartedMs) : longestMs
  const at = end.now + Math.min(longest, firstMs * 2 ** Math.min(inARow - 1, 30))
  const recent = history.restarts.filter((each) => each > end.now - hourMs)
  // What was never started was not restarted either: it is tried for as long as it is wanted.
  if (end.code === undefined) return { outcome: 'again', at, history: { restarts: recent, inARow } }
  if (recent.length >= rule.maxPerHour) return { outcome: 'failed', tooMany: true }
  return { outcome: 'again', at, history: { restarts: [...recent, end.now], inARow } }
}
