/** Lengths of time as people write them: `1h30m`, `250ms`, `1.5s`. Milliseconds inside, and never a fraction of one. */
import { Fault } from './fault.ts'

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const
const parts =
  /^(?:(\d{1,6}(?:\.\d{1,3})?)d)?(?:(\d{1,8}(?:\.\d{1,3})?)h)?(?:(\d{1,10}(?:\.\d{1,3})?)m)?(?:(\d{1,12}(?:\.\d{1,3})?)s)?(?:(\d{1,15})ms)?$/

export const durationRule = 'must be a length of time such as 250ms, 30s, 5m, 1h30m or 2d'

/** Milliseconds, or `undefined` if the text is no length of time; the pattern has no room for less than one. */
export function readDuration(text: string): number | undefined {
  const found = text === '' ? null : parts.exec(text)
  if (!found) return undefined
  const thousandths = Object.values(units).reduce(
    (sum, unit, at) => sum + toThousandths(found[at + 1]) * BigInt(unit),
    0n,
  )
  const ms = Number(thousandths / 1000n)
  return Number.isSafeInteger(ms) ? ms : undefined
}

export function parseDuration(text: string): number {
  const ms = readDuration(text)
  if (ms !== undefined) return ms
  throw new Fault('bad_duration', `${JSON.stringify(text.slice(0, 80))} is not a length of time: it ${durationRule}`)
}

function toThousandths(number = '0'): bigint {
  const [whole = '0', fraction = ''] = number.split('.')
  return BigInt(whole + fraction.padEnd(3, '0'))
}

/** The canonical text: largest unit first, none of them zero, `0s` for nothing. */
export function formatDuration(ms: number): string {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new Fault('bad_duration', `${ms} ms is not a length of time`)
  let left = ms
  let text = ''
  for (const [unit, size] of Object.entries(units)) {
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text || '0s'
}
