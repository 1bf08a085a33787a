import { type Call, orAbort } from '@gantry/core'
import type { Database } from '../database.ts'
import { flaw, genesis } from './chain.ts'
import type { AuditVerdict } from './entry.ts'

const atOnce = 1000

/** Walks the chain up to its head. Entries that arrive meanwhile are left for the next time. */
export async function verifyChain(database: Database, call: Call): Promise<AuditVerdict> {
  const head = await orAbort(database.auditHead(), call)
  let last = { sequence: 0, hash: genesis }
  while (last.sequence < head.auditSequence) {
    const window = { tenant: undefined, after: last.sequence, limit: atOnce, descending: false }
    const rows = await orAbort(database.audit(window), call)
    const walked = rows.filter((row) => row.sequence <= head.auditSequence)
    if (walked.length === 0) return broken(last.sequence + 1, 'it and all entries after it are missing')
    for (const row of walked) {
      const why = flaw(row, last)
      if (why !== undefined) return broken(Math.min(row.sequence, last.sequence + 1), why)
      last = { sequence: row.sequence, hash: row.hash }
    }
  }
  if (last.hash !== head.auditHash) return broken(last.sequence, 'it is not the entry that was written last')
  return { intact: true, entries: last.sequence, head: last.hash }
}

const broken = (sequence: number, why: string): AuditVerdict => ({ intact: false, sequence, why })
