/** The routes that every kind has. */
import { endpoints } from '@gantry/api'
import { implement, type Routes } from '../app/implement.ts'
import type { RouteDeps } from './deps.ts'
import { kindHandlers } from './kind-handlers.ts'
import { listObjects } from './list.ts'

export function tenantRoutes(deps: RouteDeps): Routes['tenants'] {
  const own = endpoints.tenants
  const handlers = kindHandlers('Tenant', deps)
  return {
    list: implement(own.list, (request) => listObjects(deps, { kind: 'Tenant', scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    put: implement(own.put, handlers.put),
    patch: implement(own.patch, handlers.patch),
    delete: implement(own.delete, handlers.delete),
    events: implement(own.events, handlers.events),
  }
}

export function providerRoutes(deps: RouteDeps): Routes['providers'] {
  const own = endpoints.providers
  const handlers = kindHandlers('Provider', deps)
  return {
    list: implement(own.list, (request) => listObjects(deps, { kind: 'Provider', scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    put: implement(own.put, handlers.put),
    patch: implement(own.patch, handlers.patch),
    delete: implement(own.delete, handlers.delete),
    events: implement(own.events, handlers.events),
  }
}

export function workloadRoutes(deps: RouteDeps): Routes['workloads'] {
  const own = endpoints.workloads
  const kind = 'Workload'
  const handlers = kindHandlers(kind, deps)
  return {
    list: implement(own.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(own.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    put: implement(own.put, handlers.put),
    patch: implement(own.patch, handlers.patch),
    delete: implement(own.delete, handlers.delete),
    events: implement(own.events, handlers.events),
  }
}

export function secretRoutes(deps: RouteDeps, putData: Routes['secrets']['putData']): Routes['secrets'] {
  const own = endpoints.secrets
  const kind = 'Secret'
  const handlers = kindHandlers(kind, deps)
  return {
    list: implement(own.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(own.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
    read: implement(own.read, handlers.read),
    put: implement(own.put, handlers.put),
    patch: implement(own.patch, handlers.patch),
    delete: implement(own.delete, handlers.delete),
    events: implement(own.events, handlers.events),
    putData,
  }
}
