/** Running batches on SQLite: look up what the plan asks for, then write the rows it names. No decisions here. */
import { type Environment, replayable } from '../plan/batch.ts'
import { firstNeeds, type Planned, plan, type WriteRequest } from '../plan/plan.ts'
import { type Head, idOf, type Known, type Needs, type RowKey, type Rows } from '../plan/rows.ts'
import { CachedRow, type RowCache } from './row-cache.ts'
import type { Statements } from './statements.ts'

/** What the batches of one transaction share. */
export type Transaction = {
  readonly statements: Statements
  readonly cache: RowCache
  /** Read once and written once, however many of the batches count. */
  readonly usage: Map<string, Counters>
}

type Counters = { readonly used: Map<string, bigint>; readonly touched: Set<string> }

/** Plans a batch against what is stored. Refusals are thrown. */
export function planBatch(during: Transaction, request: WriteRequest, head: Head, environment: Environment): Planned {
  const known: Known = { objects: new Map(), children: new Map(), usage: new Map() }
  const again = replayable(environment)
  for (let needs = firstNeeds(request); ; ) {
    look(during, needs, known)
    const outcome = plan(request, known, head, again())
    if ('rows' in outcome) return outcome
    needs = outcome
  }
}

function look(during: Transaction, needs: Needs, known: Known): void {
  const { statements, cache } = during
  for (const key of needs.objects) {
    const id = idOf(key)
    if (known.objects.has(id)) continue
    const row = cache.isAbsent(id) ? undefined : lookUp(statements, cache, key)
    known.objects.set(id, row && { key, object: row.object, usage: row.usage })
  }
  for (const uid of needs.children) {
    const rows = statements.children.all(uid)
    const keys = rows.map((row) => ({ kind: String(row.kind), tenant: String(row.tenant), name: String(row.name) }))
    known.children.set(uid, keys)
  }
  for (const tenant of needs.usage) known.usage.set(tenant, countersOf(during, tenant).used)
  if (needs.lease !== undefined) {
    const row = statements.lease.get(needs.lease)
    known.lease = row && { holder: String(row.holder), epoch: BigInt(row.epoch ?? 0) }
  }
}

export function lookUp(statements: Statements, cache: RowCache, key: RowKey): CachedRow | undefined {
  const id = idOf(key)
  const kept = cache.get(id)
  if (kept) return kept
  const found = statements.object.get(key.kind, key.tenant, key.name)
  if (!found) {
    cache.noteAbsent(id)
    return undefined
  }
  const row = new CachedRow(found.body as string, found.usage as string | null)
  cache.keep(id, row)
  return row
}

function countersOf({ statements, usage }: Transaction, tenant: string): Counters {
  const counters = usage.get(tenant) ?? { used: usageOf(statements, tenant), touched: new Set<string>() }
  usage.set(tenant, counters)
  return counters
}

export function usageOf(statements: Statements, tenant: string): Map<string, bigint> {
  return new Map(statements.usage.all(tenant).map((row) => [String(row.counter), BigInt(row.used ?? 0)]))
}

export function writeRows(during: Transaction, rows: Rows): void {
  const { statements, cache } = during
  for (const row of rows.drops) {
    statements.drop.run(row.kind, row.tenant, row.name)
    cache.forget(idOf(row))
  }
  for (const row of rows.puts) {
    statements.put.run(row.kind, row.tenant, row.name, row.uid, row.version, row.usage)
  }
  keepWritten(cache, rows)
  for (const row of rows.marksDropped) statements.dropMark.run(row.kind, row.mark, row.tenant, row.name)
  for (const row of rows.marksAdded) statements.addMark.run(row.kind, row.mark, row.tenant, row.name)
  for (const row of rows.ownersDropped) statements.dropOwner.run(row.owner, row.kind, row.tenant, row.name)
  for (const row of rows.ownersAdded) statements.addOwner.run(row.owner, row.kind, row.tenant, row.name)
  for (const row of rows.usage) {
    const { used, touched } = countersOf(during, row.tenant)
    used.set(row.counter, row.used)
    touched.add(row.counter)
  }
  for (const row of rows.changes) {
    const { version, kind, tenant, name, type, body, labelsBefore, at } = row
    statements.change.run(version, kind, tenant, name, type, body, labelsBefore, at)
  }
  for (const version of rows.forgotten) statements.forget.run(version)
  for (const row of rows.audit) statements.audit.run(row.sequence, row.tenant, row.content, row.hash)
}

/** Who is told of a change nearly always looks at the object next: both get the same one, parsed once. */
function keepWritten(cache: RowCache, { puts, changes }: Rows): void {
  const byVersion = new Map(changes.map((change) => [change.version, change]))
  for (const { kind, tenant, name, version, usage } of puts) {
    const id = idOf({ kind, tenant, name })
    const change = byVersion.get(version)
    cache.forget(id)
    if (!change) continue
    const row = new CachedRow(change.body, usage)
    change.json = row
    cache.keep(id, row)
  }
}

/** At the end of a transaction, before its commit. */
export function writeUsage({ statements, usage }: Transaction): void {
  for (const [tenant, { used, touched }] of usage) {
    for (const counter of touched) statements.setUsage.run(tenant, counter, used.get(counter) ?? 0n)
  }
}
