/** What a write changes, for audit and for the question who set what. Bounded: an entry of audit is no copy of the object. */
import { type Change, canonicalJson, diff, type GantryObject, type Manifest } from '@gantry/core'
import { changedByNote, jsonNote, publicNotes } from './annotations.ts'

const mostChanges = 100
const longestValue = 1024

export type Part = Pick<GantryObject, 'spec'> & {
  readonly metadata: Pick<Manifest['metadata'], 'labels' | 'annotations'>
}

export function changesBetween(before: Part | undefined, after: Part | undefined): Change[] {
  return diff(before && shown(before), after && shown(after))
}

function shown({ spec, metadata: { labels, annotations } }: Part) {
  return { metadata: { labels, annotations: publicNotes(annotations) }, spec }
}

/** For the record: not more than people read, and long values by their length. */
export function auditDetail(changes: readonly Change[]): { changes: readonly Change[]; more?: number } {
  const kept = changes.slice(0, mostChanges).map((change) => ({
    ...change,
    ...('old' in change && { old: short(change.old) }),
    ...('new' in change && { new: short(change.new) }),
  }))
  return changes.length > mostChanges ? { changes: kept, more: changes.length - mostChanges } : { changes: kept }
}

function short(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  return text.length <= longestValue ? value : `(${text.length} characters)`
}

const mostPaths = 200

/** The note about who changed what since the last apply, with these changes added; newest last, the oldest go first. */
export function withChangedBy(live: GantryObject, changes: readonly Change[], by: string): Record<string, string> {
  const before = (jsonNote(live.metadata.annotations, changedByNote) ?? {}) as Record<string, string>
  const paths = changes.map(({ path }) => path)
  const kept = Object.entries(before).filter(([path]) => !paths.includes(path))
  const all = [...kept, ...paths.map((path): [string, string] => [path, by])].slice(-mostPaths)
  return all.length === 0 ? {} : { [changedByNote]: canonicalJson(Object.fromEntries(all)) }
}

/** The note as it stands after an apply that made these changes itself: they are the file's now. */
export function withoutChangedBy(live: GantryObject, changes: readonly Change[]): Record<string, string> {
  const before = (jsonNote(live.metadata.annotations, changedByNote) ?? {}) as Record<string, string>
  const settled = changes.map(({ path }) => path)
  const left = Object.entries(before).filter(([path]) => !settled.some((one) => within(path, one) || within(one, path)))
  return left.length === 0 ? {} : { [changedByNote]: canonicalJson(Object.fromEntries(left)) }
}

/** Who set a field, as far as is known; a note about a part of it counts too. */
export function whoChanged(live: GantryObject, path: string): string | undefined {
  const known = (jsonNote(live.metadata.annotations, changedByNote) ?? {}) as Record<string, string>
  const related = Object.keys(known).filter((one) => within(one, path) || within(path, one))
  const last = related.at(-1)
  return last === undefined ? undefined : known[last]
}

function within(inner: string, outer: string): boolean {
  return inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)))
}
