/** The routes of what controllers make: to be looked at, and no more. */
import { endpoints } from '@gantry/api'
import { implement, type Routes } from '../app/implement.ts'
import type { RouteDeps } from './deps.ts'
import { kindHandlers } from './kind-handlers.ts'
import { listObjects } from './list.ts'

export function releaseRoutes(deps: RouteDeps): Routes['releases'] {
  const own = endpoints.releases
  const kind = 'Release'
  const handlers = kindHandlers(kind, deps)
  return {
    list: implement(own.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(own.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    events: implement(own.events, handlers.events),
  }
}

export function rolloutRoutes(deps: RouteDeps): Routes['rollouts'] {
  const own = endpoints.rollouts
  const kind = 'Rollout'
  const handlers = kindHandlers(kind, deps)
  return {
    list: implement(own.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(own.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    events: implement(own.events, handlers.events),
  }
}

export function instanceRoutes(deps: RouteDeps): Routes['instances'] {
  const own = endpoints.instances
  const kind = 'Instance'
  const handlers = kindHandlers(kind, deps)
  return {
    list: implement(own.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(own.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    events: implement(own.events, handlers.events),
  }
}
