import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openStore } from '../open.ts'
import { call, type StoreSubject } from './contract/subject.ts'

/** A schema of its own in the database at `url`. */
export async function postgresSubject(url: string): Promise<StoreSubject & { readonly database: string }> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  const address = new URL(url)
  address.searchParams.set('schema', schema)
  const database = address.href
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    database,
    open: (options = {}) => openStore({ database, ...options }, call),
    tamper: (sql) => run(`SET search_path = ${schema}; ${sql}`),
    dispose: () => run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`),
  }
}
