/** The store on PostgreSQL, which several processes may share. */
import { type Call, type Clock, orAbort } from '@gantry/core'
import type { Lease } from '@gantry/reconcile'
import type { AuditWindow, ChangeWindow, Committed, Database, Marks, Outcome, PageQuery } from '../database.ts'
import { pageSql } from '../list/page-sql.ts'
import { auditSql, changesSql } from '../list/window-sql.ts'
import type { WriteRequest } from '../plan/plan.ts'
import type { AuditRow, ChangeRow, Head, RowKey } from '../plan/rows.ts'
import type { Snapshot } from '../snapshot/read-snapshot.ts'
import { StoredJson } from '../stored-json.ts'
import { postgresSnapshot } from './backup.ts'
import { compactQuery } from './compact.ts'
import { type PostgresAddress, readAddress } from './config.ts'
import { acquire, release, renew } from './leases.ts'
import { Link } from './link.ts'
import { Listener } from './listener.ts'
import { migrate } from './migrate.ts'
import { Reader } from './reader.ts'
import { statement } from './statement.ts'
import { lockQuery, Writer } from './writer.ts'

export type PostgresOptions = {
  readonly database: string
  readonly clock: Clock
  readonly ids: () => string
  readonly ageFields: (kind: string) => ReadonlySet<string>
}

const patienceMs = 15_000

export async function openPostgres(options: PostgresOptions, call: Call): Promise<Database> {
  const address = readAddress(options.database)
  const { clock } = options
  const link = new Link(address, clock, (client) => migrate(client, address, clock.now()))
  try {
    await orAbort(link.client(clock.monotonic() + patienceMs), call)
  } finally {
    await link.close()
  }
  return new PostgresDatabase(address, options)
}

const headQuery = statement('SELECT version, compacted, audit_sequence, audit_hash FROM meta')

type HeadRow = { version: number; compacted: number; audit_sequence: number; audit_hash: string }

class PostgresDatabase implements Database {
  /** One transaction for each batch. */
  readonly groupLimit = 1
  readonly #address: PostgresAddress
  readonly #clock: Clock
  readonly #reader: Reader
  readonly #writer: Writer
  #listener: Listener | undefined
  #committed: Committed | undefined

  constructor(address: PostgresAddress, { clock, ids, ageFields }: PostgresOptions) {
    this.#address = address
    this.#clock = clock
    this.#reader = new Reader(address, clock)
    this.#writer = new Writer(address, clock, () => ({ now: clock.now(), ids, ageFields }))
  }

  async commit(group: readonly WriteRequest[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    for (const request of group) {
      const outcome = await this.#writer.write(request)
      outcomes.push(outcome)
      if ('planned' in outcome) this.#committed?.(outcome.planned.rows.changes)
    }
    return outcomes
  }

  async object({ kind, tenant, name }: RowKey): Promise<StoredJson | undefined> {
    const sql = `SELECT c.body FROM resources r JOIN changes c ON c.version = r.version
      WHERE r.kind = ? AND r.tenant = ? AND r.name = ?`
    const [rows] = await this.#reader.rows<{ body: string }>(statement(sql, [kind, tenant, name]))
    const [found] = rows ?? []
    return found && new StoredJson(found.body)
  }

  async page(query: PageQuery): Promise<{ version: number; bodies: string[] }> {
    const { text, values } = pageSql(query)
    const [heads, rows] = await this.#reader.rows<HeadRow & { body: string }>(headQuery, statement(text, values))
    return { version: heads?.[0]?.version ?? 0, bodies: rows?.map((row) => row.body) ?? [] }
  }

  async usage(tenant: string): Promise<ReadonlyMap<string, bigint>> {
    const sql = 'SELECT counter, used::text AS used FROM usage WHERE tenant = ?'
    const [rows] = await this.#reader.rows<{ counter: string; used: string }>(statement(sql, [tenant]))
    return new Map(rows?.map((row) => [row.counter, BigInt(row.used)]))
  }

  async marks(): Promise<Marks> {
    const { version, compacted } = await this.#head()
    return { version, compacted }
  }

  async changes(window: ChangeWindow): Promise<{ rows: ChangeRow[]; compacted: number }> {
    const { text, values } = changesSql(window)
    const [rows, heads] = await this.#reader.rows<HeadRow & ChangeRow>(statement(text, values), headQuery)
    return { rows: rows ?? [], compacted: heads?.[0]?.compacted ?? 0 }
  }

  tail(committed: Committed): void {
    this.#committed = committed
    this.#listener = new Listener(this.#address, this.#clock, committed)
  }

  async compact(version: number, before: number): Promise<number> {
    const [, , rows] = await this.#reader.rows<{ removed: number }>(
      statement('BEGIN'),
      lockQuery(this.#address),
      compactQuery(version, before),
      statement('COMMIT'),
    )
    return rows?.[0]?.removed ?? 0
  }

  async auditHead(): Promise<Head> {
    const { version, compacted, audit_sequence, audit_hash } = await this.#head()
    return { version, compacted, auditSequence: audit_sequence, auditHash: audit_hash }
  }

  async audit(window: AuditWindow): Promise<readonly AuditRow[]> {
    const { text, values } = auditSql(window)
    const [rows] = await this.#reader.rows<AuditRow>(statement(text, values))
    return rows ?? []
  }

  snapshot(): Promise<Snapshot> {
    return postgresSnapshot(this.#address)
  }

  acquire(name: string, holder: string, ttlMs: number): Promise<bigint | undefined> {
    return acquire(this.#reader, name, holder, ttlMs)
  }

  renew(lease: Lease): Promise<boolean> {
    return renew(this.#reader, lease)
  }

  release(lease: Lease): Promise<void> {
    return release(this.#reader, lease)
  }

  async close(): Promise<void> {
    await Promise.all([this.#listener?.close(), this.#writer.close(), this.#reader.close()])
  }

  async #head(): Promise<HeadRow> {
    const [rows] = await this.#reader.rows<HeadRow>(headQuery)
    return rows?.[0] ?? { version: 0, compacted: 0, audit_sequence: 0, audit_hash: '' }
  }
}
