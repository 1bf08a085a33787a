import type { ObjectEvent } from '@gantry/api'
import { type Store, systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'
import { until } from '../whole/testing/until.ts'
import { eventsKind } from './recorder.ts'

describe('what happened in a tenant', () => {
  let plane: Plane
  let store: Store
  beforeAll(async () => {
    plane = await startPlane({
      wrapStore: (own) => {
        store = own
        return own
      },
    })
    for (const name of ['shop', 'bank']) await plane.client.tenants.put(tenantOf(name))
    await plane.client.tenant('shop').workloads.put(workloadOf('web'))
    await plane.client.tenant('shop').workloads.put(workloadOf('api'))
    await plane.client.tenant('bank').workloads.put(workloadOf('vault'))
    await plane.client.tenant('shop').workloads.patch('web', { spec: { replicas: 2 } })
  })
  afterAll(() => plane.dispose())

  const told = async (options?: { since?: string; limit?: number }) => {
    const { client } = await plane.as('shop', 'viewer')
    const events = await client.tenant('shop').activity(options)
    return events.map(({ about, reason }) => `${about.kind} ${about.name} ${reason}`)
  }

  it('is told newest first, of this tenant only, and to everybody who may look', async () => {
    expect(await told()).toEqual(['Workload web Changed', 'Workload api Created', 'Workload web Created'])
  })

  it('is told alike when it is written and while it waits to be', async () => {
    const before = await told()
    const written = async () =>
      (await store.list(systemScope(), { kind: eventsKind, tenant: 'shop', limit: 9 }, call)).items
    await until(
      'both lists to be written',
      written,
      (lists) => lists.flatMap(({ spec }) => spec as ObjectEvent[]).length === before.length,
    )
    expect(await told()).toEqual(before)
  })

  it('is told from some time on, and up to some number', async () => {
    expect(await told({ limit: 1 })).toEqual(['Workload web Changed'])
    expect(await told({ since: '2999-01-01T00:00:00Z' })).toEqual([])
    const { token } = await plane.as('shop', 'viewer')
    const wrong = await plane.send('GET', '/v1/tenants/shop/activity?since=yesterday', { token })
    expect(wrong).toMatchObject({ status: 400, json: { issues: [{ path: 'since' }] } })
  })

  it('is not told to others', async () => {
    const { token } = await plane.as('shop', 'viewer')
    expect((await plane.send('GET', '/v1/tenants/bank/activity', { token })).status).toBe(404)
  })
})
