/** The store over a database: scopes, pages, commits and the feed, the same for both. */
import { type Call, type Clock, Fault, type GantryObject, type ObjectKey, orAbort } from '@gantry/core'
import type { Lease, LeaseStore } from '@gantry/reconcile'
import type { AuditPage, AuditVerdict } from './audit/entry.ts'
import { auditPage } from './audit/page.ts'
import { verifyChain } from './audit/verify.ts'
import type { Command, CommandResult, WriteContext, Written } from './command.ts'
import { CommitQueue, closedFault } from './commit-queue.ts'
import type { Database } from './database.ts'
import { Feed } from './feed/feed.ts'
import { watch } from './feed/watch.ts'
import { listPage } from './list/list-page.ts'
import { parseSelector } from './list/selector.ts'
import { rowKey } from './plan/batch.ts'
import type { Effect } from './plan/write-object.ts'
import { confine, requireSystem, type Scope, type SystemScope, tenantFor } from './scope.ts'
import { readSnapshot } from './snapshot/read-snapshot.ts'
import type { SnapshotRow } from './snapshot/row.ts'
import type { AuditQuery, Change, ChangesQuery, CompactRequest, ListQuery, Page, Store } from './store.ts'
import { parseStored, storedText } from './stored-json.ts'

export class ObjectStore implements Store {
  readonly #database: Database
  readonly #queue: CommitQueue
  readonly #feed: Feed
  #closing: Promise<void> | undefined

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#queue = new CommitQueue(database)
    this.#feed = new Feed(database, clock)
  }

  async read(scope: Scope, key: ObjectKey, call: Call): Promise<GantryObject | undefined> {
    this.#enter(call)
    const found = this.#database.object(rowKey(scope, key))
    return (found instanceof Promise ? await orAbort(found, call) : found)?.object
  }

  async list(scope: Scope, query: ListQuery, call: Call): Promise<Page> {
    this.#enter(call)
    return await orAbort(listPage(this.#database, scope, query), call)
  }

  async write(scope: Scope, commands: readonly Command[], context: WriteContext, call: Call): Promise<Written> {
    const planned = await this.#queue.submit({ scope, commands, context }, call)
    return { results: planned.effects.map(resultOf), resourceVersion: planned.head.version }
  }

  changes(scope: Scope, query: ChangesQuery, call: Call): AsyncIterable<Change> {
    this.#enter(call)
    const { kind, since } = query
    if (since !== undefined && (!Number.isSafeInteger(since) || since < 0)) {
      throw new Fault('schema', 'A watch begins at a version', {
        issues: [{ path: 'since', message: 'is not a version' }],
      })
    }
    const filter = { kind, tenant: confine(scope, query.tenant), selector: parseSelector(query.labelSelector) }
    return watch(this.#database, this.#feed, filter, since, call)
  }

  async usage(scope: Scope, tenant: string, call: Call): Promise<Readonly<Record<string, bigint>>> {
    this.#enter(call)
    return Object.fromEntries(await orAbort(this.#database.usage(tenantFor(scope, tenant)), call))
  }

  async audit(scope: Scope, query: AuditQuery, call: Call): Promise<AuditPage> {
    this.#enter(call)
    return await orAbort(auditPage(this.#database, scope, query), call)
  }

  async verifyAudit(scope: SystemScope, call: Call): Promise<AuditVerdict> {
    this.#enter(call)
    requireSystem(scope)
    return await verifyChain(this.#database, call)
  }

  async compact(scope: SystemScope, request: CompactRequest, call: Call): Promise<number> {
    this.#enter(call)
    requireSystem(scope)
    const { version } = await orAbort(this.#database.marks(), call)
    const before = request.olderThan ?? Number.MAX_SAFE_INTEGER
    let removed = 0
    for (;;) {
      const some = await orAbort(this.#database.compact(version - request.keepChanges, before), call)
      if (some === 0) return removed
      removed += some
      this.#enter(call)
    }
  }

  async *snapshot(scope: SystemScope, call: Call): AsyncGenerator<SnapshotRow> {
    this.#enter(call)
    requireSystem(scope)
    yield* readSnapshot(await this.#database.snapshot(), call)
  }

  leases(scope: SystemScope): LeaseStore {
    requireSystem(scope)
    const database = this.#database
    return {
      acquire: async (name, holder, ttlMs, call) => {
        this.#enter(call)
        if (holder === '' || name === '') throw new Fault('unexpected', 'A lease and its holder need a name')
        const epoch = await orAbort(database.acquire(name, holder, ttlMs), call)
        return epoch === undefined ? undefined : { name, holder, epoch, ttlMs }
      },
      renew: async (lease: Lease, call) => {
        this.#enter(call)
        return (await orAbort(database.renew(lease), call)) ? lease : undefined
      },
      release: async (lease: Lease, call) => {
        this.#enter(call)
        await orAbort(database.release(lease), call)
      },
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#feed.close()
    await this.#queue.close()
    await this.#database.close()
  }

  #enter({ signal }: Call): void {
    if (signal.aborted) throw signal.reason
    if (this.#closing) throw closedFault()
  }
}

/** As it was stored, and not as it was handed in: what the caller gets is what everybody else will read. */
function resultOf({ did, stored, body }: Effect): CommandResult {
  const about = stored.object
  if (body === undefined) return { did, object: about, about, text: storedText(about) ?? JSON.stringify(about) }
  let object: GantryObject | undefined
  return {
    did,
    about,
    text: body,
    // Many a writer never looks at it, and parsing costs as much as writing.
    get object() {
      object ??= parseStored(body)
      return object
    },
  }
}
