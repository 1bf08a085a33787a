/** What is different between two values, by path. Secrets are compared, and never shown. */
import { isRecord, own } from '../json.ts'
import { formatPath, type NamedPath } from '../path.ts'
import { isSecret } from '../secret.ts'
import { byName } from './named-list.ts'

/** `reorder`: a list has the same names in another order; old and new are the names. */
export type ChangeOp = 'add' | 'remove' | 'replace' | 'reorder'

/** Paths are written as a user reads them, entries of named lists by name: `spec.services[web].image`. */
export type Change = { readonly path: string; readonly op: ChangeOp; readonly old?: unknown; readonly new?: unknown }

/** Everything to be done to `before` to get `after`, in reading order. Equal values have no difference. */
export function diff(before: unknown, after: unknown, base: NamedPath = []): Change[] {
  return compare(before, after, base)
}

function compare(before: unknown, after: unknown, path: NamedPath): Change[] {
  if (before === undefined && after === undefined) return []
  if (before === undefined) return [{ path: formatPath(path), op: 'add', new: shown(after) }]
  if (after === undefined) return [{ path: formatPath(path), op: 'remove', old: shown(before) }]
  if (isSecret(before) || isSecret(after)) {
    const same = isSecret(before) && isSecret(after) && before.equals(after)
    return same ? [] : [replaced(before, after, path)]
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path)
  if (isRecord(before) && isRecord(after)) {
    return union(Object.keys(before), Object.keys(after)).flatMap((key) =>
      compare(own(before, key), own(after, key), [...path, key]),
    )
  }
  return before === after ? [] : [replaced(before, after, path)]
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: NamedPath): Change[] {
  const old = byName(before)
  const now = byName(after)
  if (old && now) {
    const changes = union(old.keys(), now.keys()).flatMap((name) =>
      compare(old.get(name), now.get(name), [...path, { name }]),
    )
    const kept = [...old.keys()].filter((name) => now.has(name))
    const order = [...now.keys()].filter((name) => old.has(name))
    if (kept.join() === order.join()) return changes
    return [...changes, { path: formatPath(path), op: 'reorder', old: kept, new: order }]
  }
  // A list of texts is one thing to its reader: a command line is not changed word by word.
  if (![...before, ...after].every(isRecord)) return same(before, after) ? [] : [replaced(before, after, path)]
  const longest = before.length > after.length ? before : after
  return longest.flatMap((_, at) => compare(before[at], after[at], [...path, at]))
}

function replaced(before: unknown, after: unknown, path: NamedPath): Change {
  return { path: formatPath(path), op: 'replace', old: shown(before), new: shown(after) }
}

function same(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => compare(item, right[at], []).length === 0)
}

/** With secrets as their redaction; a copy where there are any. */
function shown(value: unknown): unknown {
  return holdsSecret(value) ? redacted(value) : value
}

function holdsSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isSecret(value)) return true
  if (Array.isArray(value)) return value.some(holdsSecret)
  for (const key in value) if (holdsSecret(own(value as Record<string, unknown>, key))) return true
  return false
}

function redacted(value: unknown): unknown {
  if (isSecret(value)) return value.toJSON()
  if (Array.isArray(value)) return value.map(redacted)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item)]))
}

function union(left: Iterable<string>, right: Iterable<string>): string[] {
  return [...new Set([...left, ...right])]
}
