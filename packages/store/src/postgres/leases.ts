/** Leases on the database's clock, since those who share them do not share a machine. */
import type { Lease } from '@gantry/reconcile'
import type { Reader } from './reader.ts'
import { statement } from './statement.ts'

const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const acquireSql = `INSERT INTO leases (name, holder, epoch, expires) VALUES (?, ?, 1, ${now} + ?)
  ON CONFLICT (name) DO UPDATE SET
    epoch = CASE WHEN leases.holder = excluded.holder THEN leases.epoch ELSE leases.epoch + 1 END,
    holder = excluded.holder, expires = excluded.expires
  WHERE leases.holder = excluded.holder OR leases.holder = '' OR leases.expires <= ${now}
  RETURNING epoch::text AS epoch`

const renewSql = `UPDATE leases SET expires = ${now} + ? WHERE name = ? AND holder = ? AND epoch = ? AND expires > ${now}
  RETURNING name`

const releaseSql = `UPDATE leases SET holder = '', expires = 0 WHERE name = ? AND holder = ? AND epoch = ?`

/** Each is one statement that can be repeated, so a lost connection is no reason to fail. */
export async function acquire(
  reader: Reader,
  name: string,
  holder: string,
  ttlMs: number,
): Promise<bigint | undefined> {
  const [rows] = await reader.rows<{ epoch: string }>(statement(acquireSql, [name, holder, ttlMs]))
  const [row] = rows ?? []
  return row && BigInt(row.epoch)
}

export async function renew(reader: Reader, { name, holder, epoch, ttlMs }: Lease): Promise<boolean> {
  const [rows] = await reader.rows(statement(renewSql, [ttlMs, name, holder, String(epoch)]))
  return rows?.length === 1
}

export async function release(reader: Reader, { name, holder, epoch }: Lease): Promise<void> {
  await reader.rows(statement(releaseSql, [name, holder, String(epoch)]))
}
