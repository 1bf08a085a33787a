/** What must hold of others for a batch to be written: looked at in its own transaction, after its commands. */
import { Fault, type ObjectKey } from '@gantry/core'
import type { Required, WriteContext } from '../command.ts'
import { isKeyPart, nowhere, tenantFor } from '../scope.ts'
import type { Batch } from './batch.ts'
import type { RowKey } from './rows.ts'

/** Whatever the scope: who writes into a tenant may not see the Tenant itself, and still needs it to be there. */
export function requiredRow({ kind, tenant = '', name }: ObjectKey): RowKey {
  const isSound = isKeyPart(kind) && isKeyPart(name) && (tenant === '' || isKeyPart(tenant))
  return isSound ? { kind, tenant, name } : { kind: nowhere, tenant: nowhere, name: nowhere }
}

export function checkConditions(batch: Batch, { requires = [], unused = [] }: WriteContext): void {
  for (const [index, key] of requires.entries()) checkRequired(batch, key, index)
  for (const { tenant, counters } of unused) checkUnused(batch, tenant, counters)
}

function checkRequired(batch: Batch, key: Required, index: number): void {
  const found = batch.get(requiredRow(key))
  const what = `${key.kind} "${key.name}"`
  const issues = [{ path: `requires[${index}]`, message: found ? 'is being deleted' : 'does not exist' }]
  if (!found) throw new Fault('object_not_found', `${what} does not exist any more, and this needs it`, { issues })
  const { deletionRequestedAt, generation } = found.object.metadata
  if (deletionRequestedAt !== undefined) {
    throw new Fault('being_deleted', `${what} is being deleted, and this needs it`, { issues })
  }
  if (key.generation === undefined || key.generation === generation) return
  const message = `was at generation ${key.generation}, and is at ${generation}`
  throw new Fault('generation_conflict', `${what} ${message}`, { issues: [{ path: `requires[${index}]`, message }] })
}

function checkUnused(batch: Batch, tenant: string, counters: readonly string[]): void {
  const at = tenantFor(batch.scope, tenant)
  const left = counters.flatMap((counter) => {
    const used = batch.usedBefore(at, counter) + (batch.deltas.get(at)?.get(counter) ?? 0n)
    return used > 0n ? [`${used} ${counter}`] : []
  })
  if (left.length === 0) return
  throw new Fault('tenant_not_empty', `Tenant "${tenant}" still has ${left.join(' and ')}; delete them first`)
}
