import type { ObjectOf } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf } from '../testing/plane.ts'
import { regionOf } from './regions.ts'

let plane: Plane
beforeAll(async () => {
  plane = await startPlane()
  await plane.client.tenants.put(tenantOf('shop'))
  const location = { region: 'eu-central', country: 'Deutschland', city: 'Nürnberg', latitude: 49, longitude: 11 }
  for (const [name, spec] of Object.entries({
    east: { tenants: ['shop'], location },
    everybody: { tenants: ['*'] },
    others: { tenants: ['default'] },
  })) {
    await plane.client.providers.put({
      apiVersion: 'gantry/v1',
      kind: 'Provider',
      metadata: { name },
      spec: { type: 'simulated', ...spec },
    })
  }
})
afterAll(() => plane.dispose())

describe('GET /v1/regions', () => {
  it('says of every provider where it is and how it is', async () => {
    const all = await plane.client.regions()
    expect(all.map(({ provider }) => provider).toSorted()).toEqual(['east', 'everybody', 'others'])
    expect(all.find(({ provider }) => provider === 'east')).toMatchObject({
      type: 'simulated',
      region: 'eu-central',
      location: { country: 'Deutschland', city: 'Nürnberg', latitude: 49, longitude: 11 },
      health: { ready: expect.stringMatching(/True|False|Unknown/) },
    })
  })

  it('tells the people of a tenant of those that they may choose, and nobody of nothing', async () => {
    const { client } = await plane.as('shop', 'viewer')
    expect((await client.regions()).map(({ provider }) => provider).toSorted()).toEqual(['east', 'everybody'])
    expect((await plane.send('GET', '/v1/regions', {})).status).toBe(401)
  })

  it('takes the place from the engine where the provider says none', () => {
    const seen = (location: object) =>
      regionOf({
        metadata: { name: 'k8s' },
        spec: { type: 'kubernetes', tenants: [], location },
        status: { facts: { region: 'north', country: 'Local', city: 'Localhost' } },
      } as unknown as ObjectOf<'Provider'>)
    expect(seen({})).toMatchObject({ region: 'north', location: { country: 'Local', city: 'Localhost' } })
    expect(seen({ region: 'south', city: 'Rom' })).toMatchObject({ region: 'south', location: { city: 'Rom' } })
  })
})
