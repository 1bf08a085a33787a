import type { RouteInput } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf } from '../testing/plane.ts'

let plane: Plane
const tokens = new Map<string, string>()

beforeAll(async () => {
  plane = await startPlane()
  for (const tenant of ['shop', 'other']) {
    await plane.client.tenants.put(tenantOf(tenant))
    tokens.set(tenant, (await plane.as(tenant, 'operator')).token)
  }
})
afterAll(() => plane.dispose())

function put(tenant: string, name: string, spec: Partial<RouteInput>) {
  const body = { apiVersion: 'gantry/v1', kind: 'Route', metadata: { name }, spec: { workload: 'web', ...spec } }
  const token = tokens.get(tenant) ?? ''
  return plane.send('PUT', `/v1/tenants/${tenant}/routes/${name}`, { token, body })
}

describe('a host', () => {
  it('belongs to the tenant whose route named it first, and is refused to others without saying whose it is', async () => {
    expect((await put('shop', 'www', { hosts: ['a.example', 'b.example'] })).status).toBe(201)
    expect((await put('shop', 'api', { hosts: ['a.example'], paths: ['/api'] })).status).toBe(201)
    const refused = await put('other', 'www', { hosts: ['c.example', 'b.example'], paths: ['/mine'] })
    expect(refused).toMatchObject({
      status: 409,
      json: {
        reason: 'host_taken',
        issues: [{ path: 'spec.hosts[1]', message: 'b.example belongs to another tenant' }],
      },
    })
    expect(refused.text).not.toContain('shop')
  })

  it('is refused in a batch as well, and nothing of it is written', async () => {
    const route = { apiVersion: 'gantry/v1', kind: 'Route', spec: { workload: 'web', hosts: ['a.example'] } }
    const body = { tenant: 'other', objects: [{ ...route, metadata: { name: 'theirs' } }] }
    const refused = await plane.send('POST', '/v1/apply', { token: tokens.get('other') ?? '', body })
    expect(refused).toMatchObject({ status: 409, json: { reason: 'host_taken' } })
    const read = await plane.send('GET', '/v1/tenants/other/routes/theirs', { token: tokens.get('other') ?? '' })
    expect(read.status).toBe(404)
  })

  it('is free again when its route is gone', async () => {
    expect((await put('shop', 'gone', { hosts: ['free.example'] })).status).toBe(201)
    const token = tokens.get('shop') ?? ''
    expect((await plane.send('DELETE', '/v1/tenants/shop/routes/gone', { token })).status).toBe(202)
    expect((await put('other', 'mine', { hosts: ['free.example'] })).status).toBe(201)
  })

  it('below localhost is nobody’s to name', async () => {
    const refused = await put('other', 'steal', { hosts: ['web.shop.localhost'] })
    expect(refused).toMatchObject({ status: 400, json: { issues: [{ path: 'spec.hosts[0]' }] } })
  })
})
