/** The chain of audit entries: each hash covers the entry and the hash before it. Pure. */
import { hash } from 'node:crypto'
import { isoTime } from '../iso-time.ts'
import { stringify } from '../json.ts'
import type { AuditRow, Head } from '../plan/rows.ts'
import type { AuditDraft, AuditEffect, AuditEntry } from './entry.ts'

/** What the first entry follows. */
export const genesis = '0'.repeat(64)

export function chainHash(previous: string, content: string): string {
  return hash('sha256', `${previous}\n${content}`)
}

/** The next entry after `head`. The text that is hashed is the text that is stored, so nothing depends on formatting. */
export function nextEntry(head: Head, draft: AuditDraft, effects: readonly AuditEffect[], now: number): AuditRow {
  const sequence = head.auditSequence + 1
  const content = stringify({ sequence, at: isoTime(now), ...draft, effects })
  return { sequence, tenant: draft.tenant ?? '', content, hash: chainHash(head.auditHash, content) }
}

export function entryOf(row: AuditRow): AuditEntry {
  return { ...(JSON.parse(row.content) as Omit<AuditEntry, 'hash'>), hash: row.hash }
}

/** What is wrong with a row that should follow `previous`; `undefined`: nothing. */
export function flaw(
  row: AuditRow,
  previous: { readonly sequence: number; readonly hash: string },
): string | undefined {
  if (row.sequence !== previous.sequence + 1) return `entry ${previous.sequence + 1} is missing`
  if (row.hash !== chainHash(previous.hash, row.content)) return 'its content does not match its hash'
  const entry: { sequence?: unknown; tenant?: unknown } = JSON.parse(row.content)
  if (entry.sequence !== row.sequence) return 'it was moved from another place in the chain'
  if ((entry.tenant ?? '') !== row.tenant) return 'it was moved to another tenant'
  return undefined
}
