/** Lists, and the same as a stream of changes. */
import { defaultLimit } from '@gantry/api'
import type { KindName } from '@gantry/core'
import type { Change, Scope } from '@gantry/store'
import type { StreamEvent } from '../app/request.ts'
import { viewText } from '../objects/annotations.ts'
import type { RouteDeps } from './deps.ts'

type ListRequest = {
  readonly query: {
    readonly labelSelector?: string | undefined
    readonly limit?: number | undefined
    readonly continue?: string | undefined
    readonly watch?: boolean | undefined
    readonly since?: number | undefined
  }
  readonly lastEventId: number | undefined
  readonly signal: AbortSignal
}

type Place = { readonly kind: KindName; readonly scope: Scope; readonly tenant?: string }

export async function listObjects(deps: RouteDeps, { kind, scope, tenant }: Place, request: ListRequest) {
  const { query, signal } = request
  const selected = {
    kind,
    ...(tenant !== undefined && { tenant }),
    ...(query.labelSelector !== undefined && { labelSelector: query.labelSelector }),
  }
  if (query.watch) {
    if (tenant !== undefined) await deps.tenants.expect(tenant, { signal })
    const since = request.lastEventId ?? query.since
    const changes = deps.store.changes(scope, { ...selected, ...(since !== undefined && { since }) }, { signal })
    return { stream: await begun(changes) }
  }
  const from = query.continue === undefined ? {} : { continue: query.continue }
  const page = await deps.store.list(scope, { ...selected, ...from, limit: query.limit ?? defaultLimit }, { signal })
  // An empty list of a tenant that is not there would look like an empty tenant.
  if (page.items.length === 0 && tenant !== undefined) await deps.tenants.expect(tenant, { signal })
  const rest = page.continue === undefined ? '' : `,"continue":${JSON.stringify(page.continue)}`
  const items = page.items.map((item) => viewText(deps.keeping.shown(item))).join(',')
  return { text: `{"items":[${items}],"resourceVersion":${page.resourceVersion}${rest}}` }
}

/** Waits for the first one, which is there at once: a version that has expired is then an answer, and no stream. */
async function begun(changes: AsyncIterable<Change>): Promise<AsyncIterable<StreamEvent>> {
  const iterator = changes[Symbol.asyncIterator]()
  let first: IteratorResult<Change> | undefined = await iterator.next()
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = first ?? (await iterator.next())
        first = undefined
        return next.done ? { done: true, value: undefined } : { done: false, value: eventOf(next.value) }
      },
      async return() {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}

function eventOf(change: Change): StreamEvent {
  const { type, resourceVersion } = change
  const object = type === 'bookmark' ? '' : `,"object":${viewText(change.object)}`
  return {
    id: String(resourceVersion),
    event: type,
    data: `{"type":"${type}","resourceVersion":${resourceVersion}${object}}`,
  }
}
