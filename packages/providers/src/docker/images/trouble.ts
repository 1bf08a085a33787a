/**
 * What a pull that failed means for another try. Docker hands on what a registry says as text and nothing else, so it is
 * told by its words here, and nowhere else: one table, the first row that fits.
 */
import { type Fault, type FaultReason, isFault } from '@gantry/core'

export type PullTrouble =
  /** The registry has no such image. */
  | 'absent'
  /** It wants a login, or another one; or hides what is not there behind that. */
  | 'denied'
  /** It has the image, but not for this engine. */
  | 'platform'
  /** It was asked too often. */
  | 'limited'
  /** No registry would understand the name. */
  | 'malformed'
  /** The engine has no room. */
  | 'full'
  /** It does not answer, answers that it cannot, or breaks off. */
  | 'passing'

const rows: readonly (readonly [RegExp, PullTrouble])[] = [
  [/no space left on device/i, 'full'],
  [/invalid reference format|invalid repository name/i, 'malformed'],
  [/no matching manifest for|does not match the specified platform/i, 'platform'],
  [/toomanyrequests|too many requests|rate limit/i, 'limited'],
  // What is not there is told so only to those who may know.
  [/pull access denied/i, 'denied'],
  [/manifest unknown|name unknown|manifest for .* not found/i, 'absent'],
  [/unauthorized|no basic auth credentials|denied|forbidden|authentication required|incorrect username/i, 'denied'],
]

/** Of what we find out ourselves. */
const byReason: Partial<Record<FaultReason, PullTrouble>> = {
  engine_full: 'full',
  engine_object_not_found: 'absent',
  capability_missing: 'platform',
}

export function troubleOf(error: unknown): PullTrouble {
  if (!isFault(error)) return 'passing'
  if (error.reason === 'image_pull_failed') return troubleIn(error)
  return byReason[error.reason] ?? 'passing'
}

function troubleIn({ message }: Fault): PullTrouble {
  // An image may have any name, and a registry any address.
  const said = message.replace(/^Image \S+ /, '').replace(/"https?:[^"]*"/g, '')
  return rows.find(([words]) => words.test(said))?.[1] ?? 'passing'
}

/** How often a passing trouble is met before anybody hears of it. */
const patience = 3

const steps = {
  passing: { firstMs: 1_000, longestMs: 60_000 },
  limited: { firstMs: 30_000, longestMs: 300_000 },
  full: { firstMs: 10_000, longestMs: 300_000 },
  absent: { firstMs: 10_000, longestMs: 300_000 },
  denied: { firstMs: 10_000, longestMs: 300_000 },
  platform: { firstMs: 60_000, longestMs: 300_000 },
  malformed: { firstMs: 300_000, longestMs: 300_000 },
} as const satisfies Record<PullTrouble, { firstMs: number; longestMs: number }>

/** `failures`: how many there were in a row, this one included. */
export function nextTry(
  trouble: PullTrouble,
  failures: number,
): { readonly afterMs: number; readonly isTold: boolean } {
  const { firstMs, longestMs } = steps[trouble]
  return {
    afterMs: Math.min(longestMs, firstMs * 2 ** Math.min(20, failures - 1)),
    isTold: trouble !== 'passing' || failures >= patience,
  }
}
