/** The peer of the store's benches: prepared SQLite statements and nothing around them, as fast as one can go without a store. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GantryObject } from '@gantry/core'

type Value = string | number | null
type Statement = { run(...values: Value[]): unknown; all(...values: Value[]): Record<string, unknown>[] }
type Connection = { exec(sql: string): void; prepare(sql: string): Statement; close(): void }
type Driver = { readonly DatabaseSync: new (path: string) => Connection }

/** The same choice of driver as the store makes on this version of Node. */
async function loadDriver(): Promise<Driver> {
  const builtIn = process.getBuiltinModule?.('node:sqlite') as Driver | undefined
  return builtIn ?? ((await import('@photostructure/sqlite')) as unknown as Driver)
}

const schema = `
  CREATE TABLE resources (kind TEXT, tenant TEXT, name TEXT, uid TEXT, version INTEGER, body TEXT,
    PRIMARY KEY (kind, tenant, name));
  CREATE TABLE changes (version INTEGER PRIMARY KEY, kind TEXT, tenant TEXT, name TEXT, type TEXT, body TEXT, at INTEGER);
  CREATE TABLE audit (sequence INTEGER PRIMARY KEY, tenant TEXT, content TEXT, hash TEXT)`

export type RawSqlite = {
  /** The three rows of one write, in one transaction, on the disk when it returns. */
  write(object: GantryObject, version: number, audit: object): void
  /** Rows for lists, many at once. */
  fill(objects: Iterable<GantryObject>): void
  /** One page, parsed. */
  page(kind: string, tenant: string, after: string, limit: number): GantryObject[]
  close(): Promise<void>
}

/** A database in a folder of its own, with the fsync mode of the store. */
export async function openRaw(): Promise<RawSqlite> {
  const { DatabaseSync } = await loadDriver()
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-raw-'))
  const db = new DatabaseSync(join(folder, 'raw.sqlite'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec(schema)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const resource = db.prepare('INSERT INTO resources VALUES (?, ?, ?, ?, ?, ?)')
  const change = db.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)')
  const audited = db.prepare('INSERT INTO audit VALUES (?, ?, ?, ?)')
  const page = db.prepare('SELECT body FROM resources WHERE kind = ? AND tenant = ? AND name > ? ORDER BY name LIMIT ?')
  const hash = '0'.repeat(64)
  const put = (object: GantryObject, version: number): string => {
    const body = JSON.stringify(object)
    const { tenant = '', name, uid } = object.metadata
    resource.run(object.kind, tenant, name, uid, version, body)
    return body
  }
  return {
    write(object, version, audit) {
      begin.run()
      const { tenant = '', name } = object.metadata
      change.run(version, object.kind, tenant, name, 'put', put(object, version), Date.now())
      audited.run(version, tenant, JSON.stringify(audit), hash)
      commit.run()
    },
    fill(objects) {
      begin.run()
      for (const object of objects) put(object, 1)
      commit.run()
    },
    page: (kind, tenant, after, limit) =>
      page.all(kind, tenant, after, limit).map((row) => JSON.parse(String(row.body)) as GantryObject),
    async close() {
      db.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
