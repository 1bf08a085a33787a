/**
 * One process per data folder. A small database beside the real one is held in a write transaction for as long as the
 * store is open; the system lets go of it when the process dies, however that happens. It is in WAL mode, so that the
 * next one can still read who holds it.
 */
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { Fault } from '@gantry/core'
import { loadDriver, resultCode, type SqlConnection } from './driver.ts'
import { sqliteFault } from './faults.ts'

const busy = 5

export type FolderLock = { readonly release: () => void }

export async function lockFolder(folder: string): Promise<FolderLock> {
  const { DatabaseSync } = await loadDriver()
  const db = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    db.exec('PRAGMA busy_timeout = 500')
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT, host TEXT)')
    db.exec('BEGIN IMMEDIATE')
    db.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)').run(process.pid, processName(), hostname())
    db.exec('COMMIT')
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    const refusal = resultCode(error) === busy ? refused(db, folder, error) : sqliteFault(error, folder)
    db.close()
    throw refusal
  }
  return {
    release: () => {
      db.exec('ROLLBACK')
      db.close()
    },
  }
}

function refused(db: SqlConnection, folder: string, cause: unknown): Fault {
  const holder = db.prepare('SELECT pid, name, host FROM holder WHERE id = 1').get()
  const who = holder ? `${holder.name} (pid ${holder.pid} on ${holder.host})` : 'another process'
  const advice = 'Stop it first, or give this one a data folder of its own'
  return new Fault('store_locked', `The data folder ${folder} is in use by ${who}. ${advice}`, { cause })
}

function processName(): string {
  return basename(process.argv[1] ?? process.title)
}
