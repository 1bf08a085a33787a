/** Reading a whole store as of one moment, page by page. */
import { type Call, Fault, orAbort } from '@gantry/core'
import type { HeadRow, SnapshotRow } from './row.ts'

/** A view of the database that does not change while others write. */
export interface Snapshot {
  query(sql: string, values: readonly (string | number)[]): Promise<readonly object[]>
  close(): Promise<void>
}

export const headSql = 'SELECT version, audit_sequence AS "auditSequence", audit_hash AS "auditHash" FROM meta'

const objectsSql = `SELECT r.kind, r.tenant, r.name, r.uid, r.version, c.body, r.usage, c.at
  FROM changes c CROSS JOIN resources r
  WHERE c.version > ? AND r.kind = c.kind AND r.tenant = c.tenant AND r.name = c.name AND r.version = c.version
  ORDER BY c.version LIMIT ?`
const auditSql = 'SELECT sequence, tenant, content, hash FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?'
const usageSql = 'SELECT tenant, counter, CAST(used AS TEXT) AS used FROM usage ORDER BY tenant, counter'
const leasesSql = 'SELECT name, CAST(epoch AS TEXT) AS epoch FROM leases ORDER BY name'

const atOnce = 500

type Of<Type extends SnapshotRow['type']> = Omit<Extract<SnapshotRow, { type: Type }>, 'type'>

/** Closes the snapshot, however it ends. */
export async function* readSnapshot(snapshot: Snapshot, call: Call): AsyncGenerator<SnapshotRow> {
  const rows = async <Row>(sql: string, ...values: readonly (string | number)[]): Promise<readonly Row[]> => {
    call.signal.throwIfAborted()
    return (await orAbort(snapshot.query(sql, values), call)) as readonly Row[]
  }
  try {
    const [head] = await rows<Omit<HeadRow, 'type'>>(headSql)
    if (!head) throw new Fault('store_corrupt', 'The table meta of the database is empty; restore a backup')
    yield { type: 'head', ...head }
    for (const row of await rows<Of<'usage'>>(usageSql)) yield { type: 'usage', ...row }
    for (const row of await rows<Of<'lease'>>(leasesSql)) yield { type: 'lease', ...row }
    for (let after = 0; ; ) {
      const page = await rows<Of<'object'>>(objectsSql, after, atOnce)
      for (const row of page) yield { type: 'object', ...row }
      if (page.length < atOnce) break
      after = page.at(-1)?.version ?? after
    }
    for (let after = 0; ; ) {
      const page = await rows<Of<'audit'>>(auditSql, after, atOnce)
      for (const row of page) yield { type: 'audit', ...row }
      if (page.length < atOnce) break
      after = page.at(-1)?.sequence ?? after
    }
  } finally {
    await snapshot.close()
  }
}
