/** A connection of its own, in a transaction that sees everything as it was when it began. */
import pg from 'pg'
import { headSql, type Snapshot } from '../snapshot/read-snapshot.ts'
import type { PostgresAddress } from './config.ts'
import { postgresFault } from './faults.ts'
import { statement } from './statement.ts'

export async function postgresSnapshot({ config, where }: PostgresAddress): Promise<Snapshot> {
  const client = new pg.Client(config)
  // Whoever waits for an answer is told by the answer.
  client.on('error', () => undefined)
  const query: Snapshot['query'] = async (sql, values) => {
    try {
      return (await client.query<object>(statement(sql, values))).rows
    } catch (error) {
      throw postgresFault(error, where)
    }
  }
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    // It holds up nobody, and whoever takes the rows may be slow.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    // The first look decides what is seen from here on.
    await query(headSql, [])
  } catch (error) {
    // Its end is of no interest: it is what went wrong before that is told.
    client.end().catch(() => undefined)
    throw postgresFault(error, where)
  }
  return { query, close: () => client.end() }
}
