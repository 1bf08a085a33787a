/**
 * Three-way merge of what was last applied, what the file says now and what is live. Fields that the file never had stay
 * as actions set them; fields that were taken out of the file go; the file wins where both speak, and what that reverts
 * is told.
 */
import { isRecord, own } from '../json.ts'
import { formatPath, type NamedPath } from '../path.ts'
import { diff } from './diff.ts'
import { byName, type Named } from './named-list.ts'

/** A field that somebody changed since the last apply, and that the file sets back. A value that is absent is not there. */
export type Revert = { readonly path: string; readonly from?: unknown; readonly to?: unknown }

export type Merged = { readonly value: unknown; readonly reverts: readonly Revert[] }

export type MergeOptions = {
  /** Where the paths begin, e.g. `['spec']`. */
  readonly base?: NamedPath
  /** Paths below `base` of objects that are another thing when their `type` changes: the file's is taken whole. */
  readonly variants?: readonly string[]
}

export function merge3(lastApplied: unknown, desired: unknown, live: unknown, options: MergeOptions = {}): Merged {
  const { base = [], variants = [] } = options
  const whole = new Set(variants.map((path) => formatPath([...base, ...path.split('.')])))
  const reverts: Revert[] = []
  return { value: merge(lastApplied, desired, live, base), reverts }

  function merge(last: unknown, wanted: unknown, now: unknown, path: NamedPath): unknown {
    if (isRecord(wanted) && isRecord(now) && !isOther(wanted, now, path)) {
      return mergeFields(isRecord(last) ? last : {}, wanted, now, path)
    }
    if (Array.isArray(wanted) && Array.isArray(now)) {
      const names = { last: byName(Array.isArray(last) ? last : []), wanted: byName(wanted), now: byName(now) }
      if (names.wanted && names.now) return mergeNamed(names.last ?? new Map(), names.wanted, names.now, path)
    }
    noteRevert(last, wanted, now, path)
    return wanted
  }

  function isOther(wanted: Record<string, unknown>, now: Record<string, unknown>, path: NamedPath): boolean {
    return whole.has(formatPath(path)) && wanted.type !== undefined && wanted.type !== now.type
  }

  function mergeFields(
    last: Record<string, unknown>,
    wanted: Record<string, unknown>,
    now: Record<string, unknown>,
    path: NamedPath,
  ): Record<string, unknown> {
    const keys = new Set([...Object.keys(now), ...Object.keys(wanted)])
    const fields = [...keys].map((key) => {
      const [before, file, live] = [own(last, key), own(wanted, key), own(now, key)]
      return [key, file === undefined ? rest(before, live, [...path, key]) : merge(before, file, live, [...path, key])]
    })
    // From entries, so that no key can be more than a key.
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }

  /** What stays of a field that is not in the file: all that the file never had; of an object, that part of it. */
  function rest(last: unknown, now: unknown, path: NamedPath): unknown {
    if (last === undefined) return now
    if (isRecord(last) && isRecord(now)) {
      const left = mergeFields(last, {}, now, path)
      return Object.keys(left).length > 0 ? left : undefined
    }
    noteRevert(last, undefined, now, path)
    return undefined
  }

  /** In the file's order; entries that only actions added come last. */
  function mergeNamed(
    last: ReadonlyMap<string, Named>,
    wanted: ReadonlyMap<string, Named>,
    now: ReadonlyMap<string, Named>,
    path: NamedPath,
  ): unknown[] {
    const fromFile = [...wanted].map(([name, item]) => merge(last.get(name), item, now.get(name), [...path, { name }]))
    for (const [name, item] of now) {
      if (!wanted.has(name) && last.has(name)) noteRevert(last.get(name), undefined, item, [...path, { name }])
    }
    return [...fromFile, ...[...now.values()].filter(({ name }) => !wanted.has(name) && !last.has(name))]
  }

  function noteRevert(last: unknown, wanted: unknown, now: unknown, path: NamedPath): void {
    if (diff(wanted, now).length === 0 || !wasChanged(last, now)) return
    const values = { ...(now !== undefined && { from: now }), ...(wanted !== undefined && { to: wanted }) }
    reverts.push({ path: formatPath(path), ...values })
  }

  /** Whether somebody else had a hand in it. Fields beside those that the file once had are no change of them. */
  function wasChanged(last: unknown, now: unknown): boolean {
    if (last === undefined) return now !== undefined
    return diff(last, now).some(({ op, path }) => op !== 'add' || path.endsWith(']'))
  }
}
