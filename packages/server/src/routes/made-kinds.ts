/** The routes of what controllers make: to be looked at, and no more. */
import { type Endpoint, endpoints } from '@gantry/api'
import type { MadeKindName } from '@gantry/core'
import { type Handler, implement, type Route, type Routes } from '../app/implement.ts'
import type { RouteDeps } from './deps.ts'
import { kindHandlers } from './kind-handlers.ts'
import { listObjects } from './list.ts'

export function releaseRoutes(deps: RouteDeps): Routes['releases'] {
  return looking(endpoints.releases, handlersOf('Release', deps))
}

export function rolloutRoutes(deps: RouteDeps): Routes['rollouts'] {
  return looking(endpoints.rollouts, handlersOf('Rollout', deps))
}

export function instanceRoutes(deps: RouteDeps): Routes['instances'] {
  return looking(endpoints.instances, handlersOf('Instance', deps))
}

type Look = 'list' | 'listAll' | 'read' | 'events'
type Listing = Parameters<typeof listObjects>[2]
type InTenant = Listing & {
  readonly access: Parameters<typeof listObjects>[1]['scope']
  readonly params: { readonly tenant: string }
}

function handlersOf(kind: MadeKindName, deps: RouteDeps) {
  const { read, events } = kindHandlers(kind, deps)
  return {
    read,
    events,
    list: (request: InTenant) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    listAll: (request: Omit<InTenant, 'params'>) => listObjects(deps, { kind, scope: request.access }, request),
  }
}

/** Each handler is held to the types of its own endpoint. */
function looking<Own extends Readonly<Record<Look, Endpoint>>>(
  own: Own,
  handlers: { readonly [Name in Look]: Handler<Own[Name]> },
): { readonly [Name in Look]: Route<Own[Name]> } {
  return {
    list: implement(own.list, handlers.list),
    listAll: implement(own.listAll, handlers.listAll),
    read: implement(own.read, handlers.read),
    events: implement(own.events, handlers.events),
  }
}
