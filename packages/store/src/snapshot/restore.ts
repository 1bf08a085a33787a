/** Bringing a store back from a snapshot, all of it or nothing. */
import { randomUUID } from 'node:crypto'
import { type Call, type Clock, Fault, type GantryObject, systemClock } from '@gantry/core'
import type { Head } from '../plan/rows.ts'
import { restoredHead } from './restored-rows.ts'
import type { SnapshotRow } from './row.ts'

/** A database in the middle of one long transaction. */
export interface RestoreTarget {
  /** Whether nothing was ever written to it. */
  isEmpty(): Promise<boolean>
  insert(rows: readonly SnapshotRow[], head: Head): Promise<void>
  /** Durable when it resolves. */
  commit(): Promise<void>
  /** Takes back what was not committed, and lets go. */
  close(): Promise<void>
}

export type RestoreOptions = {
  /** As for `openStore`; must be empty. */
  readonly database: string
  /** An object of system scope that is written along, so that nobody can miss that this store was restored. */
  readonly mark: { readonly kind: string; readonly name: string; readonly spec: unknown }
  readonly clock?: Clock
}

const atOnce = 500

/** Refuses a database that holds anything: `store_not_empty`. If `rows` fails, nothing has happened. */
export async function restoreStore(
  { database, mark, clock = systemClock }: RestoreOptions,
  rows: AsyncIterable<SnapshotRow>,
  call: Call,
): Promise<void> {
  const target = await openTarget(database, clock)
  try {
    if (!(await target.isEmpty())) {
      throw new Fault('store_not_empty', 'A backup is restored into an empty database only; give it one of its own')
    }
    let head: Head | undefined
    let waiting: SnapshotRow[] = []
    for await (const row of rows) {
      call.signal.throwIfAborted()
      if (row.type === 'head') head = restoredHead(row)
      // What a restore before this one has left is replaced by what this one leaves.
      else if (row.type !== 'object' || row.kind !== mark.kind || row.name !== mark.name) waiting.push(row)
      if (head && waiting.length >= atOnce) await target.insert(waiting.splice(0), head)
    }
    if (!head) throw new Fault('backup_damaged', 'The backup does not say how far its store had come')
    waiting = [...waiting, markRow(mark, head.version, clock.now())]
    await target.insert(waiting, head)
    await target.commit()
  } finally {
    await target.close()
  }
}

async function openTarget(database: string, clock: Clock): Promise<RestoreTarget> {
  if (database === 'sqlite::memory:') {
    throw new Fault(
      'capability_missing',
      'A backup is restored into a database that stays: sqlite:<file> or postgres://…',
    )
  }
  // Only what is restored into is loaded.
  if (database.startsWith('sqlite:')) {
    const { sqliteTarget } = await import('../sqlite/restore.ts')
    return await sqliteTarget(database.slice('sqlite:'.length), clock)
  }
  const { postgresTarget } = await import('../postgres/restore.ts')
  return await postgresTarget(database, clock)
}

function markRow({ kind, name, spec }: RestoreOptions['mark'], version: number, now: number): SnapshotRow {
  const uid = randomUUID()
  const createdAt = new Date(now).toISOString()
  const metadata = { name, uid, labels: {}, annotations: {}, generation: 1, resourceVersion: version, createdAt }
  const object: GantryObject = {
    apiVersion: 'gantry/v1',
    kind,
    metadata: { ...metadata, ownerRefs: [], finalizers: [] },
    spec,
    status: {},
  }
  return { type: 'object', kind, tenant: '', name, uid, version, body: JSON.stringify(object), usage: null, at: now }
}
