/** The store on one SQLite file. Everything here is synchronous underneath, so no transaction outlives a turn. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Clock, isFault } from '@gantry/core'
import type { Lease } from '@gantry/reconcile'
import type { AuditWindow, ChangeWindow, Committed, Database, Marks, Outcome, PageQuery } from '../database.ts'
import { pageSql } from '../list/page-sql.ts'
import { auditSql, changesSql } from '../list/window-sql.ts'
import type { Environment } from '../plan/batch.ts'
import type { Planned, WriteRequest } from '../plan/plan.ts'
import type { AuditRow, ChangeRow, Head, RowKey } from '../plan/rows.ts'
import type { Snapshot } from '../snapshot/read-snapshot.ts'
import type { StoredJson } from '../stored-json.ts'
import { sqliteSnapshot } from './backup.ts'
import { lookUp, planBatch, type Transaction, usageOf, writeRows, writeUsage } from './batches.ts'
import { resultCode, rollback, type SqlConnection, transaction } from './driver.ts'
import { sqliteFault } from './faults.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { openFile } from './open-file.ts'
import { RowCache } from './row-cache.ts'
import { StatementCache } from './statement-cache.ts'
import { prepareStatements, type Statements } from './statements.ts'

export type SqliteOptions = {
  readonly file: string
  readonly clock: Clock
  readonly ids: () => string
  readonly ageFields: (kind: string) => ReadonlySet<string>
  readonly maxPages?: number
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const inMemory = options.file === ':memory:'
  const folder = dirname(options.file)
  if (!inMemory) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = inMemory ? undefined : await lockFolder(folder)
  try {
    const db = await openFile({ file: options.file, now: options.clock.now(), maxPages: options.maxPages })
    return new SqliteDatabase(db, lock, options)
  } catch (error) {
    lock?.release()
    throw error
  }
}

class SqliteDatabase implements Database {
  readonly groupLimit = 128
  readonly #db: SqlConnection
  readonly #lock: FolderLock | undefined
  readonly #options: SqliteOptions
  readonly #statements: Statements
  readonly #prepared: StatementCache
  readonly #cache = new RowCache()
  #head: Head
  #committed: Committed | undefined

  constructor(db: SqlConnection, lock: FolderLock | undefined, options: SqliteOptions) {
    this.#db = db
    this.#lock = lock
    this.#options = options
    this.#statements = prepareStatements(db)
    this.#prepared = new StatementCache(db)
    // Nobody else writes to this file while we hold the folder, so how far it has come is remembered, not read again.
    this.#head = this.#readHead()
  }

  async commit(group: readonly WriteRequest[]): Promise<readonly Outcome[]> {
    const together = this.#transaction(group)
    if (!('failure' in together)) return together
    const [only] = group
    if (group.length === 1 && only) return [{ error: sqliteFault(together.failure, this.#options.file) }]
    // One of them could not be written. Nothing has happened yet, so each gets a transaction, and an outcome, of its own.
    const alone = await Promise.all(group.map((request) => this.commit([request])))
    return alone.flat()
  }

  /** Refusals are outcomes; a failure is of the whole transaction, which has been taken back. */
  #transaction(group: readonly WriteRequest[]): Outcome[] | { readonly failure: unknown } {
    const { begin, setHead, commit } = this.#statements
    const during: Transaction = { statements: this.#statements, cache: this.#cache, usage: new Map() }
    const outcomes: Outcome[] = []
    let head = this.#head
    try {
      begin.run()
      for (const request of group) {
        const outcome = this.#batch(during, request, head)
        if ('planned' in outcome) head = outcome.planned.head
        outcomes.push(outcome)
      }
      writeUsage(during)
      if (head !== this.#head) setHead.run(head.version, head.auditSequence, head.auditHash)
      commit.run()
    } catch (failure) {
      this.#cache.clear()
      rollback(this.#db)
      return { failure }
    }
    this.#head = head
    this.#committed?.(outcomes.flatMap((outcome) => ('planned' in outcome ? outcome.planned.rows.changes : [])))
    return outcomes
  }

  #batch(during: Transaction, request: WriteRequest, head: Head): Outcome {
    let planned: Planned
    try {
      planned = planBatch(during, request, head, this.#environment())
    } catch (error) {
      // Refused before anything was written: it takes nothing else along.
      if (isFault(error)) return { error }
      throw error
    }
    writeRows(during, planned.rows)
    return { planned }
  }

  #environment(): Environment {
    return { now: this.#options.clock.now(), ids: this.#options.ids, ageFields: this.#options.ageFields }
  }

  /** At once: nobody waits for a turn to be told what is in memory. */
  object(key: RowKey): StoredJson | undefined {
    return this.#try(() => lookUp(this.#statements, this.#cache, key))
  }

  async page(query: PageQuery): Promise<{ version: number; bodies: string[] }> {
    return this.#try(() => {
      const { text, values } = pageSql(query)
      const rows = this.#prepared.get(text).all(...values)
      return { version: this.#head.version, bodies: rows.map((row) => row.body as string) }
    })
  }

  async usage(tenant: string): Promise<ReadonlyMap<string, bigint>> {
    return this.#try(() => usageOf(this.#statements, tenant))
  }

  async marks(): Promise<Marks> {
    return { version: this.#head.version, compacted: this.#head.compacted }
  }

  async changes(window: ChangeWindow): Promise<{ rows: ChangeRow[]; compacted: number }> {
    return this.#try(() => {
      const { text, values } = changesSql(window)
      return {
        rows: this.#prepared.get(text).all(...values) as unknown as ChangeRow[],
        compacted: this.#head.compacted,
      }
    })
  }

  tail(committed: Committed): void {
    this.#committed = committed
  }

  async compact(version: number, before: number): Promise<number> {
    return this.#try(() => {
      const { oldestSince, compact, setCompacted } = this.#statements
      const { compacted } = this.#head
      const upTo = Math.min(version, compacted + compactAtOnce)
      const kept = oldestSince.get(compacted, upTo, before)?.version
      const last = typeof kept === 'number' ? kept - 1 : upTo
      if (last <= compacted) return 0
      // An object that has not moved for long keeps its last change, which is what it is.
      transaction(this.#db, () => {
        setCompacted.run(last)
        compact.run(compacted, last)
      })
      this.#head = { ...this.#head, compacted: last }
      return last - compacted
    })
  }

  /** As it is on the disk: what a verification is to find out is whether that was tampered with. */
  async auditHead(): Promise<Head> {
    return this.#try(() => this.#readHead())
  }

  #readHead(): Head {
    const row = this.#statements.head.get()
    return {
      version: Number(row?.version),
      compacted: Number(row?.compacted),
      auditSequence: Number(row?.audit_sequence),
      auditHash: String(row?.audit_hash),
    }
  }

  async audit(window: AuditWindow): Promise<readonly AuditRow[]> {
    return this.#try(() => {
      const { text, values } = auditSql(window)
      return this.#prepared.get(text).all(...values) as unknown as AuditRow[]
    })
  }

  snapshot(): Promise<Snapshot> {
    return sqliteSnapshot(this.#options.file)
  }

  async acquire(name: string, holder: string, ttlMs: number): Promise<bigint | undefined> {
    const now = this.#options.clock.now()
    const row = this.#try(() => this.#statements.takeLease.get(name, holder, now + ttlMs, now))
    return row && BigInt(row.epoch ?? 0)
  }

  async renew({ name, holder, epoch, ttlMs }: Lease): Promise<boolean> {
    const now = this.#options.clock.now()
    const done = this.#try(() => this.#statements.renewLease.run(now + ttlMs, name, holder, epoch, now))
    return Number(done.changes) > 0
  }

  async release({ name, holder, epoch }: Lease): Promise<void> {
    this.#try(() => this.#statements.freeLease.run(name, holder, epoch))
  }

  async close(): Promise<void> {
    try {
      this.#gather()
      this.#db.close()
    } finally {
      this.#lock?.release()
    }
  }

  /** Puts everything into the one file, so that it can be copied or moved by itself. Not vital: opening does it too. */
  #gather(): void {
    try {
      this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (resultCode(error) === undefined) throw error
    }
  }

  #try<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw sqliteFault(error, this.#options.file)
    }
  }
}

/** Deleting much at once would hold up everybody else. */
const compactAtOnce = 2000
