import { kinds } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { noFields } from '../schemas/query.ts'
import { allEndpoints, endpoints } from './table.ts'

const rows = allEndpoints.map((one) => [`${one.method} ${one.path}`, one] as const)

describe('every endpoint', () => {
  it('is there once, by its operation and by its route', () => {
    expect(new Set(allEndpoints.map(({ operation }) => operation)).size).toBe(allEndpoints.length)
    expect(new Set(rows.map(([route]) => route)).size).toBe(allEndpoints.length)
  })

  /** This list only ever shrinks. */
  it('asks who calls, but for these', () => {
    const open = rows.filter(([, { permission }]) => permission === 'public').map(([route]) => route)
    expect(open).toEqual(['GET /healthz', 'GET /readyz', 'GET /openapi.json'])
  })

  it('names a permission of its own, but for these', () => {
    const loose = rows.filter(([, { permission }]) => permission === 'signed_in' || permission === 'per_object')
    expect(loose.map(([route]) => route)).toEqual([
      'GET /v1/regions',
      'POST /v1/apply',
      'POST /v1/plan',
      'GET /v1/whoami',
      'GET /v1/version',
    ])
  })

  it.each(rows)('%s describes the parts of its path, and no others', (_, { path, params }) => {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part)
    expect(Object.keys(params.shape)).toEqual(parts)
  })

  it.each(rows)('%s is in a tenant exactly when its path is', (_, { path, scope }) => {
    expect(scope === 'tenant').toBe(path.startsWith('/v1/tenants/{tenant}/'))
  })

  it.each(rows)('%s has a body only where HTTP has one, and conditions only where something is written', (_, one) => {
    const { method, body, preconditions = [] } = one
    if (method === 'PUT' || method === 'PATCH') expect(body).toBeDefined()
    if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined()
    if (method === 'GET') expect(preconditions).toEqual([])
  })

  it.each(rows)('%s can be told in JSON Schema', (_, one) => {
    const schemas = [one.params, one.query, one.body?.schema, one.reply.schema, one.stream?.schema]
    for (const schema of schemas) if (schema) z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' })
  })

  it.each(rows)('%s takes no name that leads elsewhere', (_, { params }) => {
    for (const part of Object.keys(params.shape)) {
      const good = Object.fromEntries(Object.keys(params.shape).map((key) => [key, 'web']))
      expect(params.safeParse(good).success).toBe(true)
      for (const bad of [
        '',
        '..',
        '.',
        '../../etc',
        'a/b',
        'a%2fb',
        'A',
        'a\u0000',
        `${'a'.repeat(53)}`,
        '__proto__',
      ]) {
        expect(params.safeParse({ ...good, [part]: bad }).success).toBe(false)
      }
    }
  })

  it('is there for every kind: list, read and events, and put, patch and delete where users write it', () => {
    for (const { kind, plural, scope, madeBy } of Object.values(kinds)) {
      const base = scope === 'tenant' ? `/v1/tenants/{tenant}/${plural}` : `/v1/${plural}`
      const word = kind.toLowerCase()
      const routes: Record<string, string> = {
        list: `GET ${base}`,
        read: `GET ${base}/{name}`,
        put: `PUT ${base}/{name}`,
        patch: `PATCH ${base}/{name}`,
        delete: `DELETE ${base}/{name}`,
        events: `GET ${base}/{name}/events`,
        ...(scope === 'tenant' && { listAll: `GET /v1/${plural}` }),
      }
      for (const [verb, route] of Object.entries(routes)) {
        const found = allEndpoints.find(({ operation }) => operation === `${word}.${verb}`)
        const writes = ['put', 'patch', 'delete'].includes(verb)
        if (writes && madeBy === 'controllers') {
          expect(found).toBeUndefined()
          continue
        }
        expect(found && `${found.method} ${found.path}`).toBe(route)
        expect(found?.permission).toBe(`${word}:${writes ? 'write' : 'read'}`)
      }
    }
  })

  it('keeps the values of a secret out of everything but the two writes of them', () => {
    const carrying = allEndpoints.filter(({ body }) => body && accepts(body.schema, { text: { url: 'x' }, base64: {} }))
    expect(carrying.map(({ operation }) => operation)).toEqual(['secret.putData', 'secret.patchData'])
    for (const { reply } of [endpoints.secrets.putData, endpoints.secrets.patchData]) {
      expect(reply.schema).toBe(endpoints.secrets.read.reply.schema)
    }
  })

  it('does not compile without a permission, or with one that there is not', () => {
    const rest = {
      operation: 'some.thing',
      summary: '',
      method: 'GET',
      path: '/v1/some',
      params: noFields,
      query: noFields,
      reply: { statuses: [200], type: 'application/json', schema: z.null() },
      faults: [],
    } as const
    type Accepts<Definition> = Definition extends Endpoint ? true : false
    const judged: [
      Accepts<typeof rest>,
      Accepts<typeof rest & { scope: 'tenant' }>,
      Accepts<typeof rest & { scope: 'system'; permission: 'workload:raed' }>,
      Accepts<typeof rest & { scope: 'tenant'; permission: 'public' }>,
      Accepts<typeof rest & { scope: 'objects'; permission: 'per_object' }>,
      Accepts<typeof rest & { scope: 'system'; permission: 'workload:read' }>,
    ] = [false, false, false, false, false, true]
    expect(judged).toHaveLength(6)
    expect(endpoint({ ...rest, scope: 'none', permission: 'public' }).permission).toBe('public')
  })
})

function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success
}
