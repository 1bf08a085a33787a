/** The rows of a plan as queries: one for what nearly every batch writes, more only where there is more. */
import type { QueryConfig } from 'pg'
import type { Planned } from '../plan/plan.ts'
import type { RowKey } from '../plan/rows.ts'
import { statement, type Value } from './statement.ts'

export type Signature = {
  readonly writer: string
  readonly batch: number
  readonly at: number
  readonly channel: string
}

export function writeQueries({ rows, head }: Planned, signature: Signature): QueryConfig[] {
  const { puts, changes, audit } = rows
  const queries = [
    ...some(rows.drops, dropSql, (row) => keyOf(row)),
    ...some(rows.marksDropped, dropMarksSql, (row) => [row.mark, ...keyOf(row)]),
    ...some(rows.marksAdded, addMarksSql, (row) => [row.mark, ...keyOf(row)]),
    ...some(rows.ownersDropped, dropOwnersSql, (row) => [row.owner, ...keyOf(row)]),
    ...some(rows.ownersAdded, addOwnersSql, (row) => [row.owner, ...keyOf(row)]),
    ...some(rows.forgotten, forgetSql, (version) => [version]),
    ...some(rows.usage, usageSql, (row) => [row.tenant, row.counter, String(row.used)]),
  ]
  const values = [
    ...columns(puts, 6, (row) => [...keyOf(row), row.uid, row.version, row.usage]),
    ...columns(changes, 8, (row) => [row.version, ...keyOf(row), row.type, row.body, row.labelsBefore, row.at]),
    ...columns(audit, 4, (row) => [row.sequence, row.tenant, row.content, row.hash]),
    ...[signature.writer, signature.batch, signature.at],
    ...[head.version, head.auditSequence, head.auditHash],
    ...[signature.channel, String(head.version)],
  ]
  return [...queries, statement(writeSql, values)]
}

type Cell = string | number | null

const keyOf = (row: RowKey): [string, string, string] => [row.kind, row.tenant, row.name]

function some<Row>(rows: readonly Row[], sql: string, cells: (row: Row) => Cell[]): QueryConfig[] {
  const [first] = rows
  return first === undefined ? [] : [statement(sql, columns(rows, cells(first).length, cells))]
}

/** Rows turned on their side: one array for each column, which is how a query takes any number of them. */
function columns<Row>(rows: readonly Row[], count: number, cells: (row: Row) => Cell[]): Value[] {
  const all = rows.map(cells)
  return Array.from({ length: count }, (_, at) => all.map((row) => row[at] ?? null))
}

const writeSql = `
  WITH put AS (
    INSERT INTO resources (kind, tenant, name, uid, version, usage)
    SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[])
    ON CONFLICT (kind, tenant, name) DO UPDATE
    SET uid = excluded.uid, version = excluded.version, usage = excluded.usage
  ), changed AS (
    INSERT INTO changes (version, kind, tenant, name, type, body, labels_before, at)
    SELECT * FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
  ), audited AS (
    INSERT INTO audit (sequence, tenant, content, hash)
    SELECT * FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[])
  ), signed AS (
    INSERT INTO writers (id, batch, at) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, at = excluded.at
  ), moved AS (
    UPDATE meta SET version = ?, audit_sequence = ?, audit_hash = ? WHERE id = 1
  )
  SELECT pg_notify(?, ?)`

const dropSql = `DELETE FROM resources r USING unnest(?::text[], ?::text[], ?::text[]) AS k (kind, tenant, name)
  WHERE r.kind = k.kind AND r.tenant = k.tenant AND r.name = k.name`

const addMarksSql = `INSERT INTO marks (mark, kind, tenant, name)
  SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[])`

const dropMarksSql = `DELETE FROM marks m
  USING unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS k (mark, kind, tenant, name)
  WHERE m.mark = k.mark AND m.kind = k.kind AND m.tenant = k.tenant AND m.name = k.name`

const addOwnersSql = `INSERT INTO owners (owner, kind, tenant, name)
  SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[])`

const dropOwnersSql = `DELETE FROM owners o
  USING unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS k (owner, kind, tenant, name)
  WHERE o.owner = k.owner AND o.kind = k.kind AND o.tenant = k.tenant AND o.name = k.name`

const forgetSql = 'DELETE FROM changes WHERE version = ANY (?::bigint[])'

const usageSql = `INSERT INTO usage (tenant, counter, used)
  SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[])
  ON CONFLICT (tenant, counter) DO UPDATE SET used = excluded.used`
