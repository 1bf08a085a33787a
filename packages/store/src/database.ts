/** What a database must do for the store; the store itself knows no SQL. */
import type { Lease } from '@gantry/reconcile'
import type { Selector } from './list/selector.ts'
import type { Planned, WriteRequest } from './plan/plan.ts'
import type { AuditRow, ChangeRow, Head, RowKey } from './plan/rows.ts'
import type { Snapshot } from './snapshot/read-snapshot.ts'
import type { StoredJson } from './stored-json.ts'

/** Each batch fails or succeeds by itself. */
export type Outcome = { readonly planned: Planned } | { readonly error: unknown }

export type PageQuery = {
  readonly kind: string
  /** `undefined`: all tenants. */
  readonly tenant: string | undefined
  readonly selector: Selector
  readonly after: { readonly tenant: string; readonly name: string }
  readonly limit: number
}

export type ChangeWindow = {
  /** Changes with `after < version <= upTo`. */
  readonly after: number
  readonly upTo: number
  readonly limit: number
  readonly kind?: string | undefined
  readonly tenant?: string | undefined
}

export type AuditWindow = {
  readonly tenant: string | undefined
  readonly after: number
  readonly limit: number
  readonly descending: boolean
}

export type Marks = { readonly version: number; readonly compacted: number }

/** Wakes the feed. Where the changes are at hand they are given; otherwise the feed reads them. */
export type Committed = (changes: readonly ChangeRow[] | undefined) => void

export interface Database {
  /** How many waiting batches may share a transaction. */
  readonly groupLimit: number
  /** Runs the batches in order; durable when it resolves. Never rejects: each batch has its own outcome. */
  commit(group: readonly WriteRequest[]): Promise<readonly Outcome[]>

  object(key: RowKey): StoredJson | undefined | Promise<StoredJson | undefined>
  /** The bodies, and the version at which (or shortly before which) they were read. */
  page(query: PageQuery): Promise<{ readonly version: number; readonly bodies: readonly string[] }>
  usage(tenant: string): Promise<ReadonlyMap<string, bigint>>

  /** How far the changes go, and up to where they were compacted. */
  marks(): Promise<Marks>
  /** The changes of a window, and up to where the log was compacted, looked at no earlier than the changes. */
  changes(window: ChangeWindow): Promise<{ readonly rows: readonly ChangeRow[]; readonly compacted: number }>
  /** Calls `committed` after every commit, by whomever, from now until close. */
  tail(committed: Committed): void
  /**
   * No longer tells changes up to and including `version` that are older than `before`, a bounded number at a time; says
   * how many. Only the last change of each object that is still there stays, since that is what the object is.
   */
  compact(version: number, before: number): Promise<number>

  auditHead(): Promise<Head>
  audit(window: AuditWindow): Promise<readonly AuditRow[]>

  /** Everything as it is now, for as long as it is open. */
  snapshot(): Promise<Snapshot>

  acquire(name: string, holder: string, ttlMs: number): Promise<bigint | undefined>
  renew(lease: Lease): Promise<boolean>
  release(lease: Lease): Promise<void>

  close(): Promise<void>
}
