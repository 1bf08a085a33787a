/** From the rows of a snapshot to the rows of the tables: pure, so both databases are restored alike. */
import type { GantryObject } from '@gantry/core'
import { marksOf } from '../list/selector.ts'
import type { Head, Rows } from '../plan/rows.ts'
import type { HeadRow, SnapshotRow } from './row.ts'

type ObjectOfSnapshot = Extract<SnapshotRow, { type: 'object' }>

/**
 * Versions that were given out after the backup was made are lost, and must never be given again for something else: a
 * watcher that has seen them would go on as if nothing had happened. So the sequence jumps further than anybody has come.
 */
const jump = 1_000_000_000

/** All changes before it count as compacted: who watched must list anew. */
export function restoredHead({ version, auditSequence, auditHash }: HeadRow): Head {
  const next = version + jump
  return { version: next, compacted: next, auditSequence, auditHash }
}

export function restoredRows(snapshot: readonly SnapshotRow[]): Rows {
  const objects = snapshot.filter((row) => row.type === 'object')
  const keyed = objects.map((row) => ({ ...keyOf(row), object: JSON.parse(row.body) as GantryObject }))
  return {
    puts: objects.map((row) => ({ ...keyOf(row), uid: row.uid, version: row.version, usage: row.usage })),
    changes: objects.map((row) => ({
      ...keyOf(row),
      version: row.version,
      type: 'put',
      body: row.body,
      labelsBefore: null,
      at: row.at,
    })),
    marksAdded: keyed.flatMap(({ object, ...key }) =>
      [...new Set(marksOf(object.metadata.labels))].map((mark) => ({ ...key, mark })),
    ),
    ownersAdded: keyed.flatMap(({ object, ...key }) =>
      [...new Set(object.metadata.ownerRefs.map(({ uid }) => uid))].map((owner) => ({ ...key, owner })),
    ),
    usage: snapshot.flatMap((row) =>
      row.type === 'usage' ? [{ tenant: row.tenant, counter: row.counter, used: BigInt(row.used) }] : [],
    ),
    audit: snapshot.flatMap((row) => {
      if (row.type !== 'audit') return []
      const { type: _, ...entry } = row
      return [entry]
    }),
    drops: [],
    marksDropped: [],
    ownersDropped: [],
    forgotten: [],
  }
}

const keyOf = ({ kind, tenant, name }: ObjectOfSnapshot) => ({ kind, tenant, name })

export function leasesOf(snapshot: readonly SnapshotRow[]): Extract<SnapshotRow, { type: 'lease' }>[] {
  return snapshot.filter((row) => row.type === 'lease')
}
