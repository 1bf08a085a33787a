/** Pure: when to come again, by seconds or by a date. */
import type { Clock } from '@gantry/core'

export function retryAfterMs(header: string | undefined, clock: Pick<Clock, 'now'>): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now())
}
