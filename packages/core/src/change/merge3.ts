/**
 * Three-way merge of what was last applied, what the file says now and what is live. Fields that the file never had stay
 * as actions set them; fields that were taken out of the file go; the file wins where both speak, and what that reverts
 * is told.
 */
import { isRecord } from '../json.ts'
import { formatPath, type NamedPath } from '../path.ts'
import { diff } from './diff.ts'
import { byName, type Named } from './named-list.ts'

/** A field that somebody changed since the last apply, and that the file would set back. `to` is absent if it goes. */
export type Revert = { readonly path: string; readonly from: unknown; readonly to?: unknown }

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
    const merged: Record<string, unknown> = {}
    for (const key of new Set([...Object.keys(now), ...Object.keys(wanted)])) {
      const at = [...path, key]
      if (wanted[key] !== undefined) merged[key] = merge(last[key], wanted[key], now[key], at)
      else if (last[key] === undefined) merged[key] = now[key]
      else keepRest(merged, key, last[key], now[key], at)
    }
    return merged
  }

  /** The file had it and has it no more. Of an object, what only actions ever set is left. */
  function keepRest(merged: Record<string, unknown>, key: string, last: unknown, now: unknown, path: NamedPath): void {
    if (isRecord(last) && isRecord(now)) {
      const rest = mergeFields(last, {}, now, path)
      if (Object.keys(rest).length > 0) merged[key] = rest
      return
    }
    noteRevert(last, undefined, now, path)
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
    if (now === undefined || diff(wanted, now).length === 0 || changes(last, now).length === 0) return
    reverts.push({ path: formatPath(path), from: now, ...(wanted !== undefined && { to: wanted }) })
  }

  /** Only what the file once said can have been changed by somebody; more beside it is no change of it. */
  function changes(last: unknown, now: unknown): unknown[] {
    return diff(last, now).filter(({ op }) => op !== 'add' || last === undefined)
  }
}
