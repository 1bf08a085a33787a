/** Pure: how far the clock of the server is from ours. */
import { formatDuration } from '@gantry/core'
import type { Finding } from './finding.ts'

/** A Date header has whole seconds only. */
const precisionMs = 1000
/** From here on ages and times look odd … */
const oddMs = 5000
/** … and from here on tokens expire early or late, and certificates fail. */
const badMs = 120_000

export function clockFinding(date: string | null, sent: number, received: number): Finding {
  const about = 'clock'
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs)) return { about, verdict: 'warning', found: 'the server does not say what time it is' }
  // It was looked at some time between: what that explains is no difference.
  const behind = Math.max(0, sent - (theirs + precisionMs))
  const ahead = Math.max(0, theirs - received)
  const off = Math.max(behind, ahead)
  if (off <= oddMs) return { about, verdict: 'good', found: 'the server has the same time' }
  const found = `the server is ${formatDuration(Math.round(off / 1000) * 1000)} ${behind > ahead ? 'behind' : 'ahead'}`
  const next = 'set both clocks by NTP; ages and expiry of tokens go by them'
  return { about, verdict: off > badMs ? 'bad' : 'warning', found, next }
}
