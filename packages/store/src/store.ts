/** The store: objects, their changes, leases and audit. One promise, kept by SQLite and PostgreSQL alike. */
import type { Call, GantryObject, ObjectKey } from '@gantry/core'
import type { LeaseStore } from '@gantry/reconcile'
import type { AuditPage, AuditVerdict } from './audit/entry.ts'
import type { Command, WriteContext, Written } from './command.ts'
import type { Scope, SystemScope } from './scope.ts'
import type { SnapshotRow } from './snapshot/row.ts'

export type ListQuery = {
  readonly kind: string
  /** All of them, where the scope may see more than one. */
  readonly tenant?: string
  /** As kubectl writes it: `team=web, tier in (a, b), !legacy`. */
  readonly labelSelector?: string
  readonly limit: number
  /** From the page before, with everything else as it was. */
  readonly continue?: string
}

export type Page = {
  readonly items: readonly GantryObject[]
  /** Absent on the last page. */
  readonly continue?: string
  /** Of the first page: watching from here misses nothing that the list did not show. */
  readonly resourceVersion: number
}

export type ChangesQuery = {
  readonly kind?: string
  readonly tenant?: string
  readonly labelSelector?: string
  /** Everything after this version; left out: everything from now on. */
  readonly since?: number
}

export type Change =
  /** The object as of this version. */
  | { readonly type: 'put'; readonly object: GantryObject; readonly resourceVersion: number }
  /** Removed, or no longer selected by the labels. */
  | { readonly type: 'gone'; readonly object: GantryObject; readonly resourceVersion: number }
  /** Everything up to this version has been delivered; resume from here. */
  | { readonly type: 'bookmark'; readonly resourceVersion: number }

export type CompactRequest = {
  /** At least so many of the newest changes stay. */
  readonly keepChanges: number
  /** And so does every change from this time on (milliseconds since 1970). */
  readonly olderThan?: number
}

export type AuditQuery = {
  readonly tenant?: string
  readonly limit: number
  readonly order?: 'oldest' | 'newest'
  readonly continue?: string
}

/**
 * Every method stops on `call.signal` and rethrows its reason. What a scope may not see is absent: the same answer after
 * the same queries as for what does not exist. Being unable to look is `store_unavailable`, never absence.
 */
export interface Store {
  /** One object, or `undefined`: looked, and it is not there. */
  read(scope: Scope, key: ObjectKey, call: Call): Promise<GantryObject | undefined>

  /** Objects of a kind ordered by tenant and name; one that existed throughout is on exactly one page. */
  list(scope: Scope, query: ListQuery, call: Call): Promise<Page>

  /**
   * All of the commands or none, durable before it resolves. A refusal names its command as issue `commands[i]`. A write
   * that was aborted before its commit began has not happened; from then on its outcome is awaited.
   */
  write(scope: Scope, commands: readonly Command[], context: WriteContext, call: Call): Promise<Written>

  /**
   * Changes in order, without a gap, for as long as they are read. `version_expired` if `since` is no longer (or not yet)
   * known. A slow reader holds no memory: it is served from the log, until what it needs is compacted away.
   */
  changes(scope: Scope, query: ChangesQuery, call: Call): AsyncIterable<Change>

  /** What a tenant's objects take up, by counter. */
  usage(scope: Scope, tenant: string, call: Call): Promise<Readonly<Record<string, bigint>>>

  /** The recorded entries of a tenant, or of all. */
  audit(scope: Scope, query: AuditQuery, call: Call): Promise<AuditPage>

  /** Walks the whole chain and names the first entry that is not what was written. */
  verifyAudit(scope: SystemScope, call: Call): Promise<AuditVerdict>

  /** Forgets old changes, and says how many. Readers that still need them get `version_expired`. */
  compact(scope: SystemScope, request: CompactRequest, call: Call): Promise<number>

  /**
   * Everything, as of one moment that is no earlier than the first row was asked for; writes go on meanwhile. What a
   * backup is made of, and `restoreStore` takes.
   */
  snapshot(scope: SystemScope, call: Call): AsyncIterable<SnapshotRow>

  /** Leases, on the database's clock where several processes share it. */
  leases(scope: SystemScope): LeaseStore

  /** Finishes what is committing, refuses the rest with `store_closed`, ends watchers. Twice is harmless. */
  close(): Promise<void>
}
