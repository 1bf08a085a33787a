import { randomUUID } from 'node:crypto'
import type { Clock } from '@gantry/core'
import pg from 'pg'
import type { RestoreTarget } from '../snapshot/restore.ts'
import { leasesOf, restoredRows } from '../snapshot/restored-rows.ts'
import { lockClass, lockKey, readAddress } from './config.ts'
import { postgresFault } from './faults.ts'
import { migrate } from './migrate.ts'
import { statement } from './statement.ts'
import { writeQueries } from './write-rows.ts'
import { channelOf } from './writer.ts'

const leaseSql = "INSERT INTO leases (name, holder, epoch, expires) VALUES (?, '', ?, 0)"
const compactedSql = 'UPDATE meta SET compacted = ? WHERE id = 1'

export async function postgresTarget(database: string, clock: Clock): Promise<RestoreTarget> {
  const address = readAddress(database)
  const client = new pg.Client(address.config)
  // Whoever waits for an answer is told by the answer.
  client.on('error', () => undefined)
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw postgresFault(error, address.where)
    }
  }
  const run = (sql: string, values: readonly (string | number)[] = []) => client.query(statement(sql, values))
  const writer = randomUUID()
  let batch = 0
  try {
    await client.connect()
    await migrate(client, address, clock.now())
    await client.query('BEGIN')
    // Whoever would write to it meanwhile waits, and finds it restored.
    await run('SELECT pg_advisory_xact_lock(?, ?)', [lockClass, lockKey(address.schema)])
  } catch (error) {
    // Its end is of no interest: it is what went wrong before that is told.
    client.end().catch(() => undefined)
    throw postgresFault(error, address.where)
  }
  return {
    isEmpty: () =>
      attempt(async () => {
        const { rows } = await client.query('SELECT 1 FROM meta WHERE version = 0 AND audit_sequence = 0')
        return rows.length === 1
      }),
    insert: (rows, head) =>
      attempt(async () => {
        batch += 1
        const signature = { writer, batch, at: clock.now(), channel: channelOf(address) }
        const planned = { rows: restoredRows(rows), head, effects: [] }
        for (const query of writeQueries(planned, signature)) await client.query(query)
        for (const { name, epoch } of leasesOf(rows)) await run(leaseSql, [name, epoch])
        await run(compactedSql, [head.compacted])
      }),
    commit: () =>
      attempt(async () => {
        await client.query('COMMIT')
      }),
    // What was not committed ends with the connection.
    close: () => client.end(),
  }
}
