/** A second connection to the file: what it reads stays as it was when it began, while the first one writes. */
import { Fault } from '@gantry/core'
import { headSql, type Snapshot } from '../snapshot/read-snapshot.ts'
import { loadDriver, rollback } from './driver.ts'
import { sqliteFault } from './faults.ts'
import { StatementCache } from './statement-cache.ts'

export async function sqliteSnapshot(file: string): Promise<Snapshot> {
  if (file === ':memory:') {
    throw new Fault('capability_missing', 'A store in memory cannot be backed up; give it a file to live in')
  }
  const { DatabaseSync } = await loadDriver()
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw sqliteFault(error, file)
    }
  }
  const db = attempt(() => new DatabaseSync(file, { readOnly: true }))
  const statements = new StatementCache(db)
  try {
    attempt(() => db.exec('PRAGMA busy_timeout = 2000; BEGIN'))
    // The first look decides what is seen from here on.
    attempt(() => statements.get(headSql).get())
  } catch (error) {
    db.close()
    throw error
  }
  return {
    query: async (sql, values) => attempt(() => statements.get(sql).all(...values)),
    close: async () => {
      // A connection with compiled statements outlives its close; what it sees must not, or the log would only grow.
      rollback(db)
      db.close()
    },
  }
}
