/** Names on engines, made from ours: at most 52 characters, the same every time, never the same for two things. */
import { sha256Hex } from './hash.ts'
import { namePattern } from './names.ts'

/** Leaves engines room for what they add: a Kubernetes pod of a stateful set has 63, less ordinal and revision. */
export const derivedNameLimit = 52

const hashLength = 12
const hashedEnd = /-x[0-9a-f]{12}$/

/**
 * Joins the parts with dashes where that can be read in one way only. Otherwise (a part has a dash or is no name of
 * ours, or the whole is too long) it is cut, and a hash of the parts is put behind it.
 */
export function derivedName(...parts: readonly [string, ...string[]]): string {
  const joined = parts.join('-')
  const clear = parts.every((part) => !part.includes('-'))
  const named = parts.every((part) => namePattern.test(part))
  if (clear && named && joined.length <= derivedNameLimit && !hashedEnd.test(joined)) return joined
  const hash = sha256Hex(JSON.stringify(parts)).slice(0, hashLength)
  const readable = joined
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, derivedNameLimit - hashLength - 2)
    .replace(/-+$/, '')
  return `${readable || 'x'}-x${hash}`
}
