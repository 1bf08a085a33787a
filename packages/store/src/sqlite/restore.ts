import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Clock } from '@gantry/core'
import type { RestoreTarget } from '../snapshot/restore.ts'
import { leasesOf, restoredRows } from '../snapshot/restored-rows.ts'
import { type Transaction, writeRows, writeUsage } from './batches.ts'
import { rollback } from './driver.ts'
import { sqliteFault } from './faults.ts'
import { lockFolder } from './folder-lock.ts'
import { openFile } from './open-file.ts'
import { RowCache } from './row-cache.ts'
import { prepareStatements } from './statements.ts'

export async function sqliteTarget(path: string, clock: Clock): Promise<RestoreTarget> {
  const file = resolve(path)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Nobody else is in the folder, so a transaction may take as long as it takes.
  const lock = await lockFolder(dirname(file))
  const db = await openFile({ file, now: clock.now() }).catch((error: unknown) => {
    lock.release()
    throw error
  })
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw sqliteFault(error, file)
    }
  }
  const statements = prepareStatements(db)
  const lease = db.prepare("INSERT INTO leases (name, holder, epoch, expires) VALUES (?, '', ?, 0)")
  attempt(() => statements.begin.run())
  let isOpen = true
  return {
    isEmpty: async () => {
      const head = attempt(() => statements.head.get())
      return head?.version === 0 && head.audit_sequence === 0
    },
    insert: async (rows, head) =>
      attempt(() => {
        const during: Transaction = { statements, cache: new RowCache(), usage: new Map() }
        writeRows(during, restoredRows(rows))
        writeUsage(during)
        for (const { name, epoch } of leasesOf(rows)) lease.run(name, BigInt(epoch))
        statements.setHead.run(head.version, head.auditSequence, head.auditHash)
        statements.setCompacted.run(head.compacted)
      }),
    commit: async () => {
      attempt(() => statements.commit.run())
      isOpen = false
    },
    close: async () => {
      try {
        if (isOpen) rollback(db)
        db.close()
      } finally {
        lock.release()
      }
    },
  }
}
