/** What the user wrote, in the words of the parsed value: `0.5` is `500m` and `role: ""` is main, but nothing is added. */
import { isRecord } from '../json.ts'

/** The basis of a three-way merge: with defaults in it, a merge could not tell a wish from its absence. */
export function asWritten(raw: unknown, parsed: unknown): unknown {
  if (Array.isArray(raw) && Array.isArray(parsed)) return raw.map((item, at) => asWritten(item, parsed[at]))
  if (!isRecord(raw) || !isRecord(parsed)) return parsed
  const kept = Object.keys(raw).filter((key) => raw[key] !== undefined && Object.hasOwn(parsed, key))
  return Object.fromEntries(kept.map((key) => [key, asWritten(raw[key], parsed[key])]))
}
