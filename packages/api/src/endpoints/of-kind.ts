/** The endpoints that every kind has, made from its definition. */
import { type KindName, kinds, type MadeKindName, type WrittenKindName } from '@gantry/core'
import type { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { kindPermission } from '../permissions.ts'
import { eventPage } from '../schemas/event.ts'
import { changeOf, pageOf } from '../schemas/list.ts'
import { objectOf } from '../schemas/object.ts'
import { derivedInTenant, inTenant, listQuery, named, namedInTenant, noFields, pageQuery } from '../schemas/query.ts'
import { inputOf, patchOf } from '../schemas/write.ts'

/** The names of the kinds of one scope. */
export type KindNameIn<Scope extends string> = {
  [Name in KindName]: (typeof kinds)[Name]['scope'] extends Scope ? Name : never
}[KindName]

/** Kinds that belong to the installation. */
export function systemKindEndpoints<Name extends KindNameIn<'system'> & WrittenKindName>(name: Name) {
  return endpointsAt(name, { scope: 'system', base: `/v1/${kinds[name].plural}`, all: noFields, one: named })
}

/** Kinds that belong to a tenant; who may look into all tenants has a list across them. */
export function tenantKindEndpoints<Name extends KindNameIn<'tenant'> & WrittenKindName>(name: Name) {
  const { plural } = kinds[name]
  return {
    ...endpointsAt(name, {
      scope: 'tenant',
      base: `/v1/tenants/{tenant}/${plural}`,
      all: inTenant,
      one: namedInTenant,
    }),
    listAll: listEverywhere(name),
  }
}

/** Kinds that controllers make: everybody who may look can, and nobody can write. */
export function madeKindEndpoints<Name extends MadeKindName>(name: Name) {
  const place = {
    scope: 'tenant',
    base: `/v1/tenants/{tenant}/${kinds[name].plural}`,
    all: inTenant,
    one: derivedInTenant,
  } as const
  return { ...lookAt(name, place), listAll: listEverywhere(name) }
}

function listEverywhere<Name extends KindName>(name: Name) {
  const { plural } = kinds[name]
  const everywhere = { scope: 'system', base: `/v1/${plural}`, all: noFields } as const
  return listAt(name, everywhere, 'listAll', `List or watch the ${plural} of all tenants`)
}

type ListPlace<All extends z.ZodObject> = {
  readonly scope: 'system' | 'tenant'
  readonly base: `/v1/${string}`
  readonly all: All
}
type Place<All extends z.ZodObject, One extends z.ZodObject> = ListPlace<All> & { readonly one: One }

function listAt<Name extends KindName, All extends z.ZodObject>(
  name: Name,
  place: ListPlace<All>,
  verb: string,
  summary: string,
) {
  return endpoint({
    operation: `${word(name)}.${verb}`,
    summary,
    method: 'GET',
    path: place.base,
    scope: place.scope,
    permission: kindPermission(name, 'read'),
    params: place.all,
    query: listQuery,
    reply: { statuses: [200], type: 'application/json', schema: pageOf(name) },
    stream: { schema: changeOf(name) },
    faults: ['expired'],
  })
}

function lookAt<Name extends KindName, All extends z.ZodObject, One extends z.ZodObject>(
  name: Name,
  place: Place<All, One>,
) {
  const { plural } = kinds[name]
  const about = word(name)
  const reading = { scope: place.scope, permission: kindPermission(name, 'read') } as const
  const path = `${place.base}/{name}` as const
  return {
    list: listAt(name, place, 'list', `List or watch ${plural}`),
    read: endpoint({
      operation: `${about}.read`,
      summary: `Read one of the ${plural}`,
      method: 'GET',
      path,
      ...reading,
      params: place.one,
      query: noFields,
      reply: { statuses: [200], type: 'application/json', schema: objectOf(name) },
      faults: ['not_found'],
    }),
    events: endpoint({
      operation: `${about}.events`,
      summary: `What happened to one of the ${plural}, newest first`,
      method: 'GET',
      path: `${path}/events`,
      ...reading,
      params: place.one,
      query: pageQuery,
      reply: { statuses: [200], type: 'application/json', schema: eventPage },
      faults: ['not_found', 'expired'],
    }),
  }
}

function endpointsAt<Name extends WrittenKindName, All extends z.ZodObject, One extends z.ZodObject>(
  name: Name,
  place: Place<All, One>,
) {
  const { plural } = kinds[name]
  const about = word(name)
  const writing = { scope: place.scope, permission: kindPermission(name, 'write') } as const
  const path = `${place.base}/{name}` as const
  const object = { type: 'application/json', schema: objectOf(name) } as const
  return {
    ...lookAt(name, place),
    put: endpoint({
      operation: `${about}.put`,
      summary: `Make one of the ${plural}, or set its spec, labels and annotations as a whole`,
      method: 'PUT',
      path,
      ...writing,
      params: place.one,
      query: noFields,
      preconditions: ['if_match', 'if_none_match'],
      body: { type: 'application/json', schema: inputOf(name) },
      reply: { statuses: [200, 201], ...object },
      faults: ['not_found', 'conflict', 'quota_exceeded', 'unsupported'],
    }),
    patch: endpoint({
      operation: `${about}.patch`,
      summary: `Change some fields of one of the ${plural}`,
      method: 'PATCH',
      path,
      ...writing,
      params: place.one,
      query: noFields,
      preconditions: ['if_match'],
      body: { type: 'application/merge-patch+json', schema: patchOf(name) },
      reply: { statuses: [200], ...object },
      faults: ['not_found', 'conflict', 'quota_exceeded', 'unsupported'],
    }),
    delete: endpoint({
      operation: `${about}.delete`,
      summary: `Ask for one of the ${plural} to be deleted; it is gone once all finalizers are`,
      method: 'DELETE',
      path,
      ...writing,
      params: place.one,
      query: noFields,
      preconditions: ['if_match'],
      reply: { statuses: [202], ...object },
      faults: ['not_found', 'conflict'],
    }),
  }
}

function word<Name extends KindName>(name: Name): Lowercase<Name> {
  return name.toLowerCase() as Lowercase<Name>
}
