import { VirtualClock } from '@gantry/core/testing'
import type { Store } from '@gantry/store'
import { describe, expect, it } from 'vitest'
import { startPlane, workloadOf } from './testing/plane.ts'

describe('a control plane as a library', () => {
  it('has a tenant to begin with, and a client that may do everything', async () => {
    const plane = await startPlane()
    expect((await plane.client.tenants.list().toArray()).map(({ metadata }) => metadata.name)).toEqual(['default'])
    expect(await plane.client.whoami()).toEqual({ name: 'control-plane', grants: [{ role: 'system' }] })
    expect(await plane.client.version()).toMatchObject({ apiVersions: ['gantry/v1'] })
    expect(await plane.client.ready()).toEqual({
      ready: true,
      parts: [
        { name: 'store', ready: true },
        { name: 'feed', ready: true },
      ],
    })
    expect(await plane.client.metrics()).toContain('gantry_http_requests_total')
    expect((await plane.send('GET', '/openapi.json')).json.openapi).toBe('3.1.0')
    await plane.dispose()
  })

  it('asks the one who brings their own users first', async () => {
    const plane = await startPlane({
      authenticate: async ({ headers }) =>
        headers['x-user'] === 'ann' ? { name: 'ann', grants: [{ role: 'viewer', tenant: 'default' }] } : undefined,
    })
    const look = (user: string) => plane.send('GET', '/v1/whoami', { headers: { 'x-user': user } })
    expect([(await look('ann')).json.name, (await look('bob')).status]).toEqual(['ann', 401])
    await plane.dispose()
  })

  it('finishes what is under way when it stops, and refuses the rest', async () => {
    let hold = (): void => undefined
    const held = new Promise<void>((resolve) => {
      hold = resolve
    })
    let begun = (): void => undefined
    const underWay = new Promise<void>((resolve) => {
      begun = resolve
    })
    const slow = (store: Store): Store =>
      but(store, {
        write: async (...asked) => {
          const isUsers = asked[2].audit?.action === 'workload.put'
          if (isUsers) begun()
          if (isUsers) await held
          return await store.write(...asked)
        },
      })
    const plane = await startPlane({ wrapStore: slow })
    const write = fetch(`${plane.address}/v1/tenants/default/workloads/late`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${(await plane.as('default', 'operator')).token}`,
      },
      body: JSON.stringify(workloadOf('late')),
    })
    await underWay
    const stopped = plane.stop()
    hold()
    expect((await write).status).toBe(201)
    await stopped
    await expect(fetch(`${plane.address}/healthz`)).rejects.toThrow()
    await plane.dispose()
  })

  it('says which part is not ready', async () => {
    let isBroken = false
    const broken = (store: Store): Store =>
      but(store, {
        read: async (...asked) => {
          if (isBroken) throw new Error('the disk is gone')
          return await store.read(...asked)
        },
      })
    const plane = await startPlane({ wrapStore: broken })
    isBroken = true
    const { status, json } = await plane.send('GET', '/readyz')
    expect(status).toBe(503)
    expect(json).toEqual({
      ready: false,
      parts: [
        { name: 'store', ready: false, message: 'failed when it was looked at' },
        { name: 'feed', ready: true },
      ],
    })
    expect((await plane.send('GET', '/healthz')).status).toBe(200)
    isBroken = false
    await plane.dispose()
  })

  it('writes when tokens were last used once a minute, and not with every request', async () => {
    const clock = new VirtualClock()
    const plane = await startPlane({ clock })
    const { tokens } = plane.client.tenant('default')
    const { token } = await tokens.create({ name: 'used', role: 'viewer' })
    for (let n = 0; n < 20; n += 1) await plane.send('GET', '/v1/whoami', { token })
    const used = async () => (await tokens.list().toArray()).find(({ name }) => name === 'used')?.lastUsedAt
    expect(await used()).toBeUndefined()
    await clock.advance(60_000)
    await expect.poll(used).toMatch(/:00\.000Z$/)
    await plane.dispose()
  })
})

/** The same store, but for what is given. */
function but(store: Store, other: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const method = (other[name] ?? target[name]) as (...asked: unknown[]) => unknown
      return method.bind(target)
    },
  })
}
