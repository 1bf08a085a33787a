/** Running batches on SQLite: look up what the plan asks for, then write the rows it names. No decisions here. */
import type { GantryObject } from '@gantry/core'
import { type Environment, replayable } from '../plan/batch.ts'
import { decodeUsage } from '../plan/net-rows.ts'
import { firstNeeds, type Planned, plan, type WriteRequest } from '../plan/plan.ts'
import { type Head, idOf, type Known, type Needs, type Rows } from '../plan/rows.ts'
import type { Statements } from './statements.ts'

/** Plans a batch against what is stored. Refusals are thrown. */
export function planBatch(
  statements: Statements,
  request: WriteRequest,
  head: Head,
  environment: Environment,
): Planned {
  const known: Known = { objects: new Map(), children: new Map(), usage: new Map() }
  const again = replayable(environment)
  for (let needs = firstNeeds(request); ; ) {
    look(statements, needs, known)
    const outcome = plan(request, known, head, again())
    if ('rows' in outcome) return outcome
    needs = outcome
  }
}

function look(statements: Statements, needs: Needs, known: Known): void {
  for (const key of needs.objects) {
    const id = idOf(key)
    if (known.objects.has(id)) continue
    const row = statements.object.get(key.kind, key.tenant, key.name)
    const stored = row && {
      key,
      object: JSON.parse(row.body as string) as GantryObject,
      usage: decodeUsage(row.usage as string | null),
    }
    known.objects.set(id, stored)
  }
  for (const uid of needs.children) {
    const rows = statements.children.all(uid)
    const keys = rows.map((row) => ({ kind: String(row.kind), tenant: String(row.tenant), name: String(row.name) }))
    known.children.set(uid, keys)
  }
  for (const tenant of needs.usage) known.usage.set(tenant, usageOf(statements, tenant))
  if (needs.lease !== undefined) {
    const row = statements.lease.get(needs.lease)
    known.lease = row && { holder: String(row.holder), epoch: BigInt(row.epoch ?? 0) }
  }
}

export function usageOf(statements: Statements, tenant: string): Map<string, bigint> {
  return new Map(statements.usage.all(tenant).map((row) => [String(row.counter), BigInt(row.used ?? 0)]))
}

export function writeRows(statements: Statements, rows: Rows): void {
  for (const row of rows.drops) statements.drop.run(row.kind, row.tenant, row.name)
  for (const row of rows.puts) {
    statements.put.run(row.kind, row.tenant, row.name, row.uid, row.version, row.usage)
  }
  for (const row of rows.marksDropped) statements.dropMark.run(row.kind, row.mark, row.tenant, row.name)
  for (const row of rows.marksAdded) statements.addMark.run(row.kind, row.mark, row.tenant, row.name)
  for (const row of rows.ownersDropped) statements.dropOwner.run(row.owner, row.kind, row.tenant, row.name)
  for (const row of rows.ownersAdded) statements.addOwner.run(row.owner, row.kind, row.tenant, row.name)
  for (const row of rows.usage) statements.setUsage.run(row.tenant, row.counter, row.used)
  for (const row of rows.changes) {
    const { version, kind, tenant, name, type, body, labelsBefore, at } = row
    statements.change.run(version, kind, tenant, name, type, body, labelsBefore, at)
  }
  for (const version of rows.forgotten) statements.forget.run(version)
  for (const row of rows.audit) statements.audit.run(row.sequence, row.tenant, row.content, row.hash)
}
