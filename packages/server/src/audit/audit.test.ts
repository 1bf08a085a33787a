import { VirtualClock } from '@gantry/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
const clock = new VirtualClock()
beforeAll(async () => {
  plane = await startPlane({ clock })
  await plane.client.tenants.put(tenantOf('shop'))
})
afterAll(() => plane.dispose())

const newest = async (tenant?: string) => {
  const list = tenant === undefined ? plane.client.audit.list() : plane.client.tenant(tenant).audit()
  for await (const entry of list) return entry
  return undefined
}

describe('audit', () => {
  it('has who, what, from where and the difference of every change', async () => {
    const { token } = await plane.as('shop', 'operator')
    const at = '/v1/tenants/shop/workloads/hello'
    await plane.send('PUT', at, { token, body: workloadOf('hello') })
    const { headers } = await plane.send('PATCH', at, { token, body: { spec: { replicas: 4 } } })
    expect(await newest('shop')).toMatchObject({
      actor: expect.stringMatching(/^token:t\d+@shop$/),
      action: 'workload.patch',
      outcome: 'done',
      from: '127.0.0.1',
      requestId: headers.get('x-request-id'),
      target: { kind: 'Workload', name: 'hello' },
      detail: { changes: [{ path: 'spec.replicas', op: 'replace', old: 1, new: 4 }] },
      effects: [{ did: 'configured' }],
    })
  })

  it('has what was refused, and why', async () => {
    const { token } = await plane.as('shop', 'viewer')
    await plane.send('DELETE', '/v1/tenants/shop/workloads/hello', { token })
    const action = 'workload.delete'
    expect(await newest('shop')).toMatchObject({ action, outcome: 'refused', detail: { reason: 'permission_denied' } })
    const { token: other } = await plane.as('default', 'admin')
    await plane.send('DELETE', '/v1/tenants/shop/workloads/hello', { token: other })
    const entry = await newest()
    expect(entry).toMatchObject({ action, outcome: 'refused', detail: { kind: 'not_found' } })
    expect(entry?.tenant).toBeUndefined()
  })

  it('has an entry for a body that could not be read', async () => {
    const { token } = await plane.as('shop', 'operator')
    await plane.send('PUT', '/v1/tenants/shop/workloads/x', { token, body: '{' })
    expect(await newest('shop')).toMatchObject({ action: 'workload.put', detail: { reason: 'bad_document' } })
  })

  it('counts those without identity once a minute, however often they knock', async () => {
    const before = (await newest())?.sequence ?? 0
    for (let n = 0; n < 50; n += 1) await plane.send('DELETE', '/v1/tenants/shop', { token: 'guess' })
    for (let n = 0; n < 50; n += 1) await plane.send('GET', '/v1/tenants/shop')
    expect((await newest())?.sequence).toBe(before)
    await clock.advance(61_000)
    expect(await newest()).toMatchObject({ actor: 'nobody', outcome: 'refused', detail: { count: 100 } })
  })

  it('has no entry for looking and planning', async () => {
    const before = (await newest())?.sequence
    await plane.client.tenants.list().toArray()
    await plane.client.plan({ tenant: 'shop', objects: [workloadOf('planned')] })
    expect((await newest())?.sequence).toBe(before)
  })

  it('verifies its whole chain', async () => {
    expect(await plane.client.audit.verify()).toMatchObject({ intact: true })
  })
})
