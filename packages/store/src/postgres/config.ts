/** How we speak to PostgreSQL, from the address a user gives. */
import { createHash } from 'node:crypto'
import { Fault } from '@gantry/core'
import pg from 'pg'

export type PostgresAddress = { readonly config: pg.ClientConfig; readonly schema: string; readonly where: string }

/** Access is always by key, and tables grow faster than statistics: a plan made while they were empty must stay right. */
const byKeyOnly = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'].map(
  (off) => `-c ${off}=off`,
)

/** `schema` is ours, the other parameters are the driver's. */
export function readAddress(database: string): PostgresAddress {
  const url = parse(database)
  const schema = url.searchParams.get('schema') ?? 'gantry'
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) throw refusal('its schema must be a plain lower-case name')
  url.searchParams.delete('schema')
  const config: pg.ClientConfig = {
    connectionString: url.href,
    application_name: 'gantry',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    // A process that was stopped in the middle of a write must not hold up all others for longer than this.
    idle_in_transaction_session_timeout: 10_000,
    pipeline: true,
    options: [`-c search_path=${schema}`, '-c synchronous_commit=on', ...byKeyOnly].join(' '),
    types: { getTypeParser },
  }
  return { config, schema, where: `${url.host}${url.pathname} (schema ${schema})` }
}

/** Versions and times fit into a number; counters, which may not, are asked for as text. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)

function parse(database: string): URL {
  try {
    return new URL(database)
  } catch (cause) {
    throw refusal('it is not a URL such as postgres://user@host:5432/name', cause)
  }
}

function refusal(why: string, cause?: unknown): Fault {
  // Not with the address: it may hold a password.
  return new Fault('schema', `The address of the PostgreSQL database cannot be used: ${why}`, {
    issues: [{ path: 'database', message: why }],
    cause,
  })
}

/** One lock per schema, taken by every transaction that writes: it orders the changes, the audit and the quotas. */
export function lockKey(schema: string): number {
  return createHash('sha256').update(`gantry ${schema}`).digest().readInt32BE()
}

export const lockClass = 0x67616e74
