import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../open.ts'
import { loadDriver } from '../sqlite/driver.ts'
import { call, type StoreSubject } from './contract/subject.ts'

/** A database file in a folder of its own. */
export async function sqliteSubject(): Promise<StoreSubject & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-store-'))
  const file = join(folder, 'store.sqlite')
  return {
    file,
    open: (options = {}) => openStore({ database: `sqlite:${file}`, ...options }, call),
    tamper: async (sql) => {
      const { DatabaseSync } = await loadDriver()
      const db = new DatabaseSync(file)
      db.exec(sql)
      db.close()
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}
