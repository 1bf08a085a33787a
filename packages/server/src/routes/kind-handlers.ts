/** What every kind can do, whatever it is called: the handlers behind the routes of all of them. */
import { defaultLimit, etagOf } from '@gantry/api'
import type { GantryObject, KindName, ObjectKey } from '@gantry/core'
import { Fault } from '@gantry/core'
import type { CommandResult, Scope } from '@gantry/store'
import { resultText, viewText } from '../objects/annotations.ts'
import { absent, type Besides, deleteObject, patchObject, putObject, type WriteRequest } from '../objects/write.ts'
import type { RouteDeps } from './deps.ts'

type Named = {
  readonly params: { readonly name: string; readonly tenant?: string }
  readonly access: Scope
  readonly signal: AbortSignal
}
type Writing = Named & Pick<WriteRequest, 'conditions' | 'recording'> & { readonly identity: { readonly name: string } }
type Paged = Named & { readonly query: { readonly limit?: number | undefined; readonly continue?: string | undefined } }

export function kindHandlers(kind: KindName, deps: RouteDeps) {
  const keyOf = ({ params: { tenant, name } }: Named): ObjectKey => ({
    kind,
    ...(tenant !== undefined && { tenant }),
    name,
  })

  async function find(request: Named) {
    const key = keyOf(request)
    const found = await deps.store.read(request.access, key, request)
    if (!found) throw absent(key)
    return found
  }

  const writeOf = (request: Writing): WriteRequest => ({
    kind,
    key: keyOf(request),
    scope: request.access,
    by: request.identity.name,
    conditions: request.conditions,
    recording: request.recording,
    signal: request.signal,
  })

  return {
    async read(request: Named) {
      const found = await find(request)
      return { text: viewText(deps.keeping.shown(found)), headers: { etag: etagOf(found.metadata.generation) } }
    },
    put: async (request: Writing & { readonly body: unknown }) =>
      written(await putObject(deps, writeOf(request), request.body)),
    async patch(request: Writing & { readonly body: unknown }) {
      const { text, headers } = written(await patchObject(deps, writeOf(request), request.body))
      return { text, headers }
    },
    async delete(request: Writing, besidesOf?: (before: GantryObject) => Besides) {
      const { text, headers } = written(await deleteObject(deps, writeOf(request), besidesOf))
      return { text, headers }
    },
    async events(request: Paged) {
      const all = await deps.events.of(await find(request), request)
      const from = positionOf(request.query.continue)
      const upTo = from + (request.query.limit ?? defaultLimit)
      return { body: { items: all.slice(from, upTo), ...(upTo < all.length && { continue: String(upTo) }) } }
    },
  }
}

function written(result: CommandResult) {
  const status = result.did === 'created' ? (201 as const) : (200 as const)
  return { status, text: resultText(result), headers: { etag: etagOf(result.about.metadata.generation) } }
}

function positionOf(token: string | undefined): number {
  if (token === undefined) return 0
  if (/^\d{1,4}$/.test(token)) return Number(token)
  const message = 'is not one that a page has given out'
  throw new Fault('schema', `The events cannot be listed: continue ${message}`, {
    issues: [{ path: 'continue', message }],
  })
}
