/** JSON merge patch (RFC 7396): objects are merged, null removes, everything else replaces. */
import { isRecord } from '../json.ts'

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const merged = new Map(isRecord(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else if (value !== undefined) merged.set(key, mergePatch(merged.get(key), value))
  }
  // From entries, so that a key such as __proto__ stays a key.
  return Object.fromEntries(merged)
}
