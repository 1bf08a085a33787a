import type { Condition } from '@gantry/core'
import { systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
let store: Parameters<NonNullable<NonNullable<Parameters<typeof startPlane>[0]>['wrapStore']>>[0]

beforeAll(async () => {
  plane = await startPlane({
    wrapStore: (own) => {
      store = own
      return own
    },
  })
  await plane.client.tenants.put(tenantOf('shop', { workloads: 5, cpu: '4', memory: '1Gi' }))
})
afterAll(() => plane.dispose())

const provider = (name: string, spec: object = {}) =>
  ({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name },
    spec: { type: 'simulated', tenants: ['shop'], ...spec },
  }) as const

describe('what the people of a tenant may know', () => {
  it('is their quota and what is used of it', async () => {
    const { client } = await plane.as('shop', 'viewer')
    const resources = { cpu: '250m', memory: '64Mi' }
    const services = [{ name: 'web', image: 'app:1', resources }]
    await plane.client.tenant('shop').workloads.put(workloadOf('web', { replicas: 2, services }))
    expect(await client.tenant('shop').quota()).toEqual({
      tenant: 'shop',
      limits: { workloads: 5, cpu: '4', memory: '1Gi' },
      used: { workloads: 1, replicas: 2, services: 2, cpu: '500m', memory: '128Mi', disk: '0', secrets: 0 },
    })
    await expect(client.tenants.get('shop')).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(client.tenant('default').quota()).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('is what their workloads may run on, and neither for whom else nor how it is reached', async () => {
    await plane.client.providers.put(
      provider('here', { default: true, location: { region: 'eu', latitude: 1, longitude: 2 } }),
    )
    await plane.client.providers.put(provider('theirs', { tenants: ['default'] }))
    await plane.client.providers.put(provider('all', { tenants: ['*'] }))
    const found = await store.read(systemScope(), { kind: 'Provider', name: 'here' }, call)
    const condition: Condition = {
      type: 'Ready',
      status: 'True',
      reason: 'looked',
      message: 'at 10.0.0.1',
      since: '2026-01-01T00:00:00Z',
    }
    const status = { conditions: [condition] }
    const key = { kind: 'Provider', name: 'here' }
    const ifVersion = found?.metadata.resourceVersion ?? 0
    await store.write(systemScope(), [{ op: 'status', key, status, ifVersion }], {}, call)
    const { token } = await plane.as('shop', 'viewer')
    const { text, json } = await plane.send('GET', '/v1/tenants/shop/providers', { token })
    expect(json.items).toEqual([
      { name: 'all', type: 'simulated', ready: 'Unknown', default: false, location: {} },
      { name: 'here', type: 'simulated', ready: 'True', default: true, location: { region: 'eu' } },
    ])
    expect(text).not.toMatch(/10\.0\.0\.1|tenants|latitude/)
    expect((await plane.send('GET', '/v1/providers', { token })).status).toBe(403)
  })
})

describe('the default provider', () => {
  it('is one at most, also when many become it at once, and moves in one apply', async () => {
    const all = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) => plane.client.providers.put(provider(name, { default: true }))),
    )
    for (const one of all) expect(one).toMatchObject({ status: 'rejected', reason: { reason: 'default_taken' } })
    await plane.client.apply({ objects: [provider('here', { default: false }), provider('a', { default: true })] })
    await plane.client.providers.patch('a', { spec: { default: false } })
    const again = await Promise.allSettled(
      ['b', 'c', 'd'].map((name) => plane.client.providers.put(provider(name, { default: true }))),
    )
    expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
