import { isRecord } from '../json.ts'
import type { Path } from '../path.ts'

/** A copy without the fields at these paths; the value itself is left alone. */
export function withoutKeys(value: unknown, paths: readonly Path[]): unknown {
  const here = new Set(paths.filter(({ length }) => length === 1).map(([key]) => String(key)))
  const below = (key: string | number): Path[] =>
    paths.filter((path) => path.length > 1 && path[0] === key).map((path) => path.slice(1))
  if (Array.isArray(value)) return value.map((item, at) => withoutKeys(item, below(at)))
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([key]) => !here.has(key))
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutKeys(item, below(key))]))
}
