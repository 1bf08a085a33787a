/** What a batch comes to, row by row: however often it touched an object, the tables are written once. */
import { marksOf } from '../list/selector.ts'
import type { Batch, Entry } from './batch.ts'
import type { MarkRow, ObjectRow, OwnerRow, RowKey, Rows, Stored, Usage } from './rows.ts'

export function netRows(batch: Batch, compacted: number): Omit<Rows, 'usage' | 'audit'> {
  const puts: ObjectRow[] = []
  const drops: RowKey[] = []
  const marksAdded: MarkRow[] = []
  const marksDropped: MarkRow[] = []
  const ownersAdded: OwnerRow[] = []
  const ownersDropped: OwnerRow[] = []
  const forgotten: number[] = []
  for (const { before, now } of batch.entries.values()) {
    const key = now?.key ?? before?.key
    if (!key) continue // made and removed within the batch: only its changes tell of it
    if (now) puts.push(rowOf(now))
    else drops.push(key)
    const superseded = before?.object.metadata.resourceVersion
    if (superseded !== undefined && superseded <= compacted) forgotten.push(superseded)
    const marks =
      before?.object.metadata.labels === now?.object.metadata.labels ? same : difference(marksIn(before), marksIn(now))
    for (const mark of marks.added) marksAdded.push({ ...key, mark })
    for (const mark of marks.dropped) marksDropped.push({ ...key, mark })
    const owners =
      before?.object.metadata.ownerRefs === now?.object.metadata.ownerRefs
        ? same
        : difference(ownersIn(before), ownersIn(now))
    for (const owner of owners.added) ownersAdded.push({ ...key, owner })
    for (const owner of owners.dropped) ownersDropped.push({ ...key, owner })
  }
  return { puts, drops, marksAdded, marksDropped, ownersAdded, ownersDropped, changes: batch.changes, forgotten }
}

function rowOf({ key, object, usage }: Stored): ObjectRow {
  const { kind, tenant, name } = key
  const { uid, resourceVersion: version } = object.metadata
  return { kind, tenant, name, uid, version, usage: encodeUsage(usage) }
}

const marksIn = (stored: Entry['now']): string[] => (stored ? marksOf(stored.object.metadata.labels) : [])

const ownersIn = (stored: Entry['now']): string[] => stored?.object.metadata.ownerRefs.map((ref) => ref.uid) ?? []

const same: { added: string[]; dropped: string[] } = { added: [], dropped: [] }

function difference(before: string[], now: string[]): { added: string[]; dropped: string[] } {
  if (before.length === 0 && now.length === 0) return same
  if (before.length === 0) return { added: now.length < 2 ? now : [...new Set(now)], dropped: [] }
  const had = new Set(before)
  const has = new Set(now)
  return { added: [...has].filter((one) => !had.has(one)), dropped: [...had].filter((one) => !has.has(one)) }
}

export function encodeUsage(usage: Usage): string | null {
  const entries = Object.entries(usage)
  if (entries.length === 0) return null
  return JSON.stringify(Object.fromEntries(entries.map(([name, n]) => [name, String(n)])))
}

export function decodeUsage(text: string | null): Usage {
  if (text === null) return {}
  const entries = Object.entries(JSON.parse(text) as Record<string, string>)
  return Object.fromEntries(entries.map(([name, amount]) => [name, BigInt(amount)]))
}
