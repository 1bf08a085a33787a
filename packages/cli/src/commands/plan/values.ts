/** Pure: single changes as people read them. Contents that are kept in the vault are named, and never shown. */
import { clean } from '../../output/table.ts'

/** As the server sends it. */
export type Revert = { readonly path: string; readonly from?: unknown; readonly to?: unknown; readonly by?: unknown }

export type FieldChange = {
  readonly op: 'add' | 'remove' | 'replace' | 'reorder'
  readonly path: string
  readonly old?: unknown
  readonly new?: unknown
}

const sealed = /^vault:[0-9a-f]{32}$/

export function valueText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string' && sealed.test(value)) return '(content, kept in the vault)'
  if (typeof value === 'string' && /^[\w./:@%+ -]+$/.test(value) && value.trim() === value && value !== '') return value
  return clean(JSON.stringify(withoutSealed(value)))
}

function withoutSealed(value: unknown): unknown {
  if (typeof value === 'string') return sealed.test(value) ? '(content)' : value
  if (Array.isArray(value)) return value.map(withoutSealed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSealed(item)]))
}

export function changeText({ op, path, old, new: now }: FieldChange): string {
  if (op === 'add') return `${path}: ${valueText(now)}`
  if (op === 'remove') return `${path}: ${valueText(old)}`
  const isSealed = [old, now].every((value) => typeof value === 'string' && sealed.test(value))
  if (isSealed) return `${path}: other content, kept in the vault`
  return `${path}: ${valueText(old)} → ${valueText(now)}`
}

export function revertLine({ path, from, to, by }: Revert): string {
  const who = typeof by === 'string' ? `, which ${clean(by)} had set` : ', which somebody had set'
  return `sets back ${path}: ${valueText(from)}${who}, to ${valueText(to)}`
}

/** What is added or removed whole, field by field; what is empty is left out. */
export function eachField(change: FieldChange): FieldChange[] {
  if (change.op !== 'add' && change.op !== 'remove') return [change]
  const { op } = change
  const leaf = (path: string, value: unknown): FieldChange =>
    op === 'add' ? { op, path, new: value } : { op, path, old: value }
  const all = fields(change.path, op === 'add' ? change.new : change.old)
  // A change is never nothing, also where what is added is empty.
  return all.length > 0 ? all : [change]

  function fields(path: string, value: unknown): FieldChange[] {
    if (Array.isArray(value)) {
      if (value.length === 0) return []
      if (!value.every(isRecord)) return [leaf(path, value)]
      return value.flatMap((item, at) => {
        const name = isRecord(item) && typeof item.name === 'string' ? item.name : String(at)
        return fields(`${path}[${name}]`, item)
      })
    }
    if (!isRecord(value)) return value === null || value === undefined ? [] : [leaf(path, value)]
    return Object.entries(value).flatMap(([key, item]) => fields(below(path, key), item))
  }
}

/** The paths that a document of a file has values for. */
export function writtenPaths(document: unknown): Set<string> {
  const { metadata, spec } = (document ?? {}) as {
    metadata?: { labels?: unknown; annotations?: unknown }
    spec?: unknown
  }
  const value = { metadata: { labels: metadata?.labels, annotations: metadata?.annotations }, spec }
  return new Set(eachField({ op: 'add', path: '', new: value }).map(({ path }) => path))
}

function below(path: string, key: string): string {
  if (!/^[A-Za-z_][-A-Za-z0-9_]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
