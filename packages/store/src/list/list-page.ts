import { Fault, type GantryObject } from '@gantry/core'
import type { Database } from '../database.ts'
import { confine, isKeyPart, nowhere, type Scope } from '../scope.ts'
import type { ListQuery, Page } from '../store.ts'
import { decodePosition, encodePosition } from './continue-token.ts'
import { parseSelector } from './selector.ts'

const mostAtOnce = 5000

/** One page, from just behind the last key of the page before. Keys do not move, so nothing is skipped or repeated. */
export async function listPage(database: Database, scope: Scope, query: ListQuery): Promise<Page> {
  const { kind, limit } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > mostAtOnce) {
    const message = `must be between 1 and ${mostAtOnce}`
    throw new Fault('schema', `The limit of a list ${message}`, { issues: [{ path: 'limit', message }] })
  }
  const tenant = confine(scope, query.tenant)
  const identity = JSON.stringify([kind, tenant ?? null, query.labelSelector ?? ''])
  const from = query.continue === undefined ? undefined : decodePosition(query.continue, identity)
  const { version, bodies } = await database.page({
    kind: isKeyPart(kind) ? kind : nowhere,
    tenant,
    selector: parseSelector(query.labelSelector),
    after: from ?? { tenant: '', name: '' },
    limit: limit + 1,
  })
  const items = bodies.slice(0, limit).map((body) => JSON.parse(body) as GantryObject)
  const resourceVersion = from?.version ?? version
  const last = items.at(-1)?.metadata
  if (bodies.length <= limit || !last) return { items, resourceVersion }
  const position = { tenant: last.tenant ?? '', name: last.name, version: resourceVersion }
  return { items, resourceVersion, continue: encodePosition(position, identity) }
}
