import { Fault } from '@gantry/core'
import type { Database } from '../database.ts'
import { confine, type Scope } from '../scope.ts'
import type { AuditQuery } from '../store.ts'
import { entryOf } from './chain.ts'
import type { AuditPage } from './entry.ts'

const mostAtOnce = 1000

export async function auditPage(database: Database, scope: Scope, query: AuditQuery): Promise<AuditPage> {
  const { limit } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > mostAtOnce) throw refusal('limit', `must be 1 to ${mostAtOnce}`)
  const descending = query.order === 'newest'
  const after = position(query.continue) ?? (descending ? Number.MAX_SAFE_INTEGER : 0)
  const tenant = confine(scope, query.tenant)
  const rows = await database.audit({ tenant, after, limit: limit + 1, descending })
  const entries = rows.slice(0, limit).map(entryOf)
  const last = entries.at(-1)
  return rows.length > limit && last ? { entries, continue: String(last.sequence) } : { entries }
}

function position(token: string | undefined): number | undefined {
  if (token === undefined) return undefined
  const sequence = /^\d{1,15}$/.test(token) ? Number(token) : undefined
  if (sequence === undefined) throw refusal('continue', 'is not one that a page has given out')
  return sequence
}

function refusal(path: string, message: string): Fault {
  return new Fault('schema', `The audit cannot be listed: ${path} ${message}`, { issues: [{ path, message }] })
}
