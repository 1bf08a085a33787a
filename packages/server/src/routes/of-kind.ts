/** The routes that every kind has. */
import { type Endpoint, endpoints } from '@gantry/api'
import type { ObjectOf } from '@gantry/core'
import { type Handler, implement, type Route, type Routes } from '../app/implement.ts'
import { besidesDeletion } from './delete-workload.ts'
import type { RouteDeps } from './deps.ts'
import { kindHandlers } from './kind-handlers.ts'
import { listObjects } from './list.ts'
import type { SecretDataRoutes } from './secret-data.ts'

export function tenantRoutes(deps: RouteDeps): Routes['tenants'] {
  const { tenants } = endpoints
  const kind = 'Tenant'
  return {
    ...onOne(tenants, kindHandlers(kind, deps)),
    list: implement(tenants.list, (request) => listObjects(deps, { kind, scope: request.access }, request)),
  }
}

export function providerRoutes(deps: RouteDeps): Routes['providers'] {
  const { providers } = endpoints
  const kind = 'Provider'
  return {
    ...onOne(providers, kindHandlers(kind, deps)),
    list: implement(providers.list, (request) => listObjects(deps, { kind, scope: request.access }, request)),
  }
}

export function workloadRoutes(deps: RouteDeps): Routes['workloads'] {
  const { workloads } = endpoints
  const kind = 'Workload'
  const handlers = kindHandlers(kind, deps)
  return {
    ...onOne(workloads, handlers),
    delete: implement(workloads.delete, (request) =>
      handlers.delete(request, (before) =>
        besidesDeletion(before as ObjectOf<'Workload'>, request.query, request.identity.name),
      ),
    ),
    list: implement(workloads.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(workloads.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
  }
}

export function routeRoutes(deps: RouteDeps): Routes['routes'] {
  const { routes } = endpoints
  const kind = 'Route'
  return {
    ...onOne(routes, kindHandlers(kind, deps)),
    list: implement(routes.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(routes.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
  }
}

export function secretRoutes(deps: RouteDeps, data: SecretDataRoutes): Routes['secrets'] {
  const { secrets } = endpoints
  const kind = 'Secret'
  return {
    ...onOne(secrets, kindHandlers(kind, deps)),
    list: implement(secrets.list, (request) =>
      listObjects(deps, { kind, scope: request.access, tenant: request.params.tenant }, request),
    ),
    listAll: implement(secrets.listAll, (request) => listObjects(deps, { kind, scope: request.access }, request)),
    ...data,
  }
}

type OnOne = 'read' | 'put' | 'patch' | 'delete' | 'events'

/** What is done to one object; each handler is held to the types of its own endpoint. */
function onOne<Own extends Readonly<Record<OnOne, Endpoint>>>(
  own: Own,
  handlers: { readonly [Name in OnOne]: Handler<Own[Name]> },
): { readonly [Name in OnOne]: Route<Own[Name]> } {
  return {
    read: implement(own.read, handlers.read),
    put: implement(own.put, handlers.put),
    patch: implement(own.patch, handlers.patch),
    delete: implement(own.delete, handlers.delete),
    events: implement(own.events, handlers.events),
  }
}
