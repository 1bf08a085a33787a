/** Opening a database file: looked at first without touching it, then brought to the newest schema. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { type Migration, sqliteDialect } from '../schema/migration.ts'
import { migrationsAfter, refuseNewer, versionTable } from '../schema/migrations.ts'
import { loadDriver, type SqlConnection, transaction } from './driver.ts'
import { corrupt, sqliteFault } from './faults.ts'

export type OpenFile = {
  /** A path, or `:memory:`. */
  readonly file: string
  readonly now: number
  /** For tests of migrations only: an older schema. */
  readonly upTo?: number | undefined
  /** For tests of a full disk: the file does not grow beyond this. */
  readonly maxPages?: number | undefined
}

export async function openFile({ file, now, upTo, maxPages }: OpenFile): Promise<SqlConnection> {
  const { DatabaseSync } = await loadDriver()
  const open = (readOnly: boolean): SqlConnection => {
    const db = new DatabaseSync(file, { readOnly })
    db.exec('PRAGMA busy_timeout = 2000')
    return db
  }
  try {
    if (file !== ':memory:') {
      if (existsSync(file) && statSync(file).size > 0) using(open(true), (db) => inspect(db, file))
      // SQLite gives its side files the mode of this one.
      else closeSync(openSync(file, 'a', 0o600))
    }
    return keep(open(false), (db) => {
      // FULL: a commit is on the disk, and not merely handed to it, before it is answered.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY')
      // A page that changes often is copied into the file rarely: every 16 MB of the log. Its own cache of pages stays as small as
      // SQLite makes it, since the system has them too: one of 16 MB cost 25 MB and no less work (bench k8s-scale).
      db.exec('PRAGMA wal_autocheckpoint = 4000')
      transaction(db, () => migrate(db, file, now, upTo))
      if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`)
    })
  } catch (error) {
    throw sqliteFault(error, file)
  }
}

/** Refuses what must not be written to: a newer schema, a foreign or a damaged file. */
function inspect(db: SqlConnection, file: string): void {
  refuseNewer(versionOf(db, file), file)
  const verdict = db.prepare('PRAGMA quick_check(1)').get()
  const found = verdict && Object.values(verdict)[0]
  if (found !== 'ok') throw corrupt(file, 'it is damaged', { detail: String(found) })
}

function versionOf(db: SqlConnection, file: string): number {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  if (tables.length === 0) return 0
  if (!tables.some((table) => table.name === 'schema_version')) throw corrupt(file, 'it was not made by Gantry')
  return Number(db.prepare('SELECT max(version) AS version FROM schema_version').get()?.version ?? 0)
}

function migrate(db: SqlConnection, file: string, now: number, upTo: number | undefined): void {
  const version = versionOf(db, file)
  refuseNewer(version, file)
  if (version === 0) db.exec(versionTable)
  for (const migration of migrationsAfter(version, upTo)) run(db, migration, now)
}

function run(db: SqlConnection, migration: Migration, now: number): void {
  for (const statement of migration.statements(sqliteDialect)) db.exec(statement)
  db.prepare('INSERT INTO schema_version (version, at) VALUES (?, ?)').run(migration.version, now)
}

function using(db: SqlConnection, work: (db: SqlConnection) => void): void {
  try {
    work(db)
  } finally {
    db.close()
  }
}

/** Closes it only if `work` fails. */
function keep(db: SqlConnection, work: (db: SqlConnection) => void): SqlConnection {
  try {
    work(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
