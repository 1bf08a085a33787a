/** After a helm has ended, whoever started it: what it did is written into our record, which is free then for the next. */
import type { Call, Clock } from '@gantry/core'
import { failureAfter, outcomeOf } from './outcome.ts'
import type { HelmRecord, Operation } from './record.ts'
import { remnantsOf } from './release/objects.ts'
import type { KnownRevision } from './release/revisions.ts'
import { removeRunFolder, saidBy } from './run/folder.ts'
import type { HelmStore, Stored } from './store.ts'

export type SettleDeps = { readonly store: HelmStore; readonly clock: Clock; readonly folder: string }

export async function settle(
  stored: Stored,
  operation: Operation,
  history: readonly KnownRevision[],
  { store, clock, folder }: SettleDeps,
  call: Call,
): Promise<Stored> {
  const said = await saidBy(folder, operation.mark)
  const record = settled(stored.record, operation, history, said, clock.now())
  const written = await store.write(stored.ref, record, stored, call)
  await removeRunFolder(folder, operation.mark)
  return written
}

/** Pure. */
export function settled(
  record: HelmRecord,
  operation: Operation,
  history: readonly KnownRevision[],
  said: string | undefined,
  now: number,
): HelmRecord {
  const { operation: _over, failure, leaving: left, ...rest } = record
  const outcome = outcomeOf(operation, history, said)
  if (outcome.state === 'in vain') return { ...rest, ...(left && { leaving: left }), ...(failure && { failure }) }
  if (outcome.state !== 'succeeded') {
    return { ...rest, ...(left && { leaving: left }), failure: failureAfter(failure, outcome, operation.specHash, now) }
  }
  // What was made room for has still to come: its failures are remembered.
  if (operation.verb === 'uninstall') return { ...rest, ...(left && { leaving: left }), ...(failure && { failure }) }
  const leaving = remnantsOf(history)
  return { ...rest, ...(outcome.known && { known: outcome.known }), ...(leaving.length > 0 && { leaving }) }
}
