/** Everything a plan asks for, in one query. */
import { Fault, type GantryObject } from '@gantry/core'
import type { QueryConfig, QueryResult } from 'pg'
import { decodeUsage } from '../plan/net-rows.ts'
import { type Head, idOf, type Known, type Needs, type RowKey } from '../plan/rows.ts'
import { statement } from './statement.ts'

const lookSql = `
  SELECT 'head' AS what, version::text AS a, audit_sequence::text AS b, audit_hash AS c, compacted::text AS d, NULL AS e
    FROM meta
  UNION ALL
  SELECT 'object', r.kind, r.tenant, r.name, c.body, r.usage
    FROM unnest(?::text[], ?::text[], ?::text[]) AS k (kind, tenant, name)
    JOIN resources r ON r.kind = k.kind AND r.tenant = k.tenant AND r.name = k.name
    JOIN changes c ON c.version = r.version
  UNION ALL
  SELECT 'child', o.owner, o.kind, o.tenant, o.name, NULL
    FROM unnest(?::text[]) AS k (owner) JOIN owners o ON o.owner = k.owner
  UNION ALL
  SELECT 'usage', u.tenant, u.counter, u.used::text, NULL, NULL
    FROM unnest(?::text[]) AS k (tenant) JOIN usage u ON u.tenant = k.tenant`

export function lookQuery({ objects, children, usage }: Needs): QueryConfig {
  return statement(lookSql, [
    objects.map((key) => key.kind),
    objects.map((key) => key.tenant),
    objects.map((key) => key.name),
    children,
    usage,
  ])
}

/** Shared, so that the lease cannot change hands before this transaction has ended. */
export const leaseQuery = (name: string): QueryConfig =>
  statement('SELECT holder, epoch::text AS epoch FROM leases WHERE name = ? FOR SHARE', [name])

type Row = { what: string; a: string; b: string; c: string; d: string; e: string | null }

/** Takes down what was found; what was asked for and not found is absent. */
export function learn(known: Known, needs: Needs, result: QueryResult<Row>): Head {
  const children = new Map<string, RowKey[]>(needs.children.map((uid) => [uid, []]))
  for (const key of needs.objects) known.objects.set(idOf(key), undefined)
  for (const tenant of needs.usage) known.usage.set(tenant, new Map())
  let head: Head | undefined
  for (const { what, a, b, c, d, e } of result.rows) {
    if (what === 'head') {
      head = { version: Number(a), compacted: Number(d), auditSequence: Number(b), auditHash: c }
    } else if (what === 'object') {
      const key = { kind: a, tenant: b, name: c }
      known.objects.set(idOf(key), { key, object: JSON.parse(d) as GantryObject, usage: decodeUsage(e) })
    } else if (what === 'child') children.get(a)?.push({ kind: b, tenant: c, name: d })
    else known.usage.get(a)?.set(b, BigInt(c))
  }
  for (const [uid, keys] of children) known.children.set(uid, keys)
  if (!head) throw new Fault('store_corrupt', 'The table meta of the database is empty; restore a backup')
  return head
}

export function learnLease(known: Known, { rows }: QueryResult<{ holder: string; epoch: string }>): void {
  const [row] = rows
  known.lease = row && { holder: row.holder, epoch: BigInt(row.epoch) }
}
