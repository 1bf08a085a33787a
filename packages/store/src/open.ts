/** Opening a store by the address of its database. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { type Call, type Clock, Fault, systemClock } from '@gantry/core'
import type { Database } from './database.ts'
import { ObjectStore } from './object-store.ts'
import { openSqlite } from './sqlite/database.ts'
import type { Store } from './store.ts'

export type StoreOptions = {
  /** `sqlite:<file>`, `sqlite::memory:` (gone with the process) or `postgres://…[?schema=name]`. */
  readonly database: string
  readonly clock?: Clock
  /** Makes the uids of objects. */
  readonly ids?: () => string
  /** Names of fields in a kind's status that say only when somebody looked; a status that differs in no other is not written. */
  readonly ageFields?: (kind: string) => readonly string[]
}

/** Brings the schema up to date first. Refuses what it must not touch: see the reasons `store_*`. */
export async function openStore(options: StoreOptions, call: Call): Promise<Store> {
  call.signal.throwIfAborted()
  const clock = options.clock ?? systemClock
  const database = await openDatabase(options, clock, call)
  if (call.signal.aborted) {
    await database.close()
    call.signal.throwIfAborted()
  }
  return new ObjectStore(database, clock)
}

async function openDatabase(options: StoreOptions, clock: Clock, call: Call): Promise<Database> {
  const ids = options.ids ?? randomUUID
  const ageFields = rememberFields(options.ageFields ?? (() => []))
  const [scheme] = options.database.split(':', 1)
  if (scheme === 'sqlite') {
    const path = options.database.slice('sqlite:'.length)
    return await openSqlite({ file: path === ':memory:' ? path : resolve(path), clock, ids, ageFields })
  }
  if (scheme === 'postgres' || scheme === 'postgresql') {
    // Only who uses PostgreSQL loads its driver.
    const { openPostgres } = await import('./postgres/database.ts')
    return await openPostgres({ database: options.database, clock, ids, ageFields }, call)
  }
  throw new Fault('schema', 'A database is sqlite:<file> or postgres://…', {
    issues: [{ path: 'database', message: `cannot be "${scheme}:"` }],
  })
}

/** Asked with every status write, so each kind's answer is kept. */
function rememberFields(ask: (kind: string) => readonly string[]): (kind: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (kind) => {
    const fields = known.get(kind) ?? new Set(ask(kind))
    known.set(kind, fields)
    return fields
  }
}
