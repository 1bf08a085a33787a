/** Brings a PostgreSQL schema up to date, one process at a time. */
import type pg from 'pg'
import { postgresDialect } from '../schema/migration.ts'
import { migrationsAfter, refuseNewer, versionTable } from '../schema/migrations.ts'
import { lockClass, lockKey, type PostgresAddress } from './config.ts'

/** `upTo`: for tests of migrations only. */
export async function migrate(client: pg.Client, address: PostgresAddress, now: number, upTo?: number): Promise<void> {
  const { schema, where } = address
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [lockClass, lockKey(schema)])
    const version = await versionOf(client, schema)
    refuseNewer(version, where)
    if (version === 0) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      await client.query(versionTable)
    }
    for (const migration of migrationsAfter(version, upTo)) {
      for (const statement of migration.statements(postgresDialect)) await client.query(statement)
      await client.query('INSERT INTO schema_version (version, at) VALUES ($1, $2)', [migration.version, now])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function versionOf(client: pg.Client, schema: string): Promise<number> {
  const table = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [
    `"${schema}".schema_version`,
  ])
  if (table.rows[0]?.found == null) return 0
  const newest = await client.query<{ version: number | null }>('SELECT max(version) AS version FROM schema_version')
  return newest.rows[0]?.version ?? 0
}
