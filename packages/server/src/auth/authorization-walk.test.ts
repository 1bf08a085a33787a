/** Every endpoint × every role × own and foreign tenant, against the table of roles. */
import { allEndpoints, allowed, type Endpoint, type Identity, type Role, roles } from '@gantry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
const tokens = new Map<Role, string>()

beforeAll(async () => {
  plane = await startPlane()
  for (const name of ['own', 'foreign']) {
    await plane.client.tenants.put(tenantOf(name))
    await plane.client.tenant(name).workloads.put(workloadOf('thing'))
  }
  for (const role of roles) {
    tokens.set(role, (await (role === 'system' ? plane.system() : plane.as('own', role))).token)
  }
})
afterAll(() => plane.dispose())

const identities = {
  viewer: { name: 'v', grants: [{ role: 'viewer', tenant: 'own' }] },
  operator: { name: 'o', grants: [{ role: 'operator', tenant: 'own' }] },
  admin: { name: 'a', grants: [{ role: 'admin', tenant: 'own' }] },
  system: { name: 's', grants: [{ role: 'system' }] },
} as const satisfies Record<Role, Identity>

const pathOf = (endpoint: Endpoint, tenant: string): string =>
  endpoint.path.replace('{tenant}', tenant).replace('{name}', 'nothing')

/** What the table says: let in, told no, or told that there is nothing. */
function verdict(endpoint: Endpoint, role: Role, tenant: string): 'in' | 'forbidden' | 'absent' {
  if (endpoint.permission === 'public' || endpoint.permission === 'signed_in') return 'in'
  if (endpoint.permission === 'per_object') return 'in'
  const where = endpoint.scope === 'tenant' ? tenant : undefined
  if (allowed(identities[role], endpoint.permission, where)) return 'in'
  return where === 'foreign' ? 'absent' : 'forbidden'
}

const rows = allEndpoints.flatMap((endpoint) =>
  roles.flatMap((role) =>
    ['own', 'foreign'].map((tenant): [string, Role, string, Endpoint] => [endpoint.operation, role, tenant, endpoint]),
  ),
)

describe('authorization', () => {
  it.each(rows)('of %s for %s in the %s tenant is as the table says', async (_, role, tenant, endpoint) => {
    const token = tokens.get(role) ?? ''
    const body = endpoint.body ? {} : undefined
    const got = await plane.send(endpoint.method, pathOf(endpoint, tenant), { token, body })
    const said =
      got.json.reason === 'permission_denied'
        ? 'forbidden'
        : got.json.reason === 'object_not_found' && /^There is no tenant/.test(String(got.json.detail))
          ? 'absent'
          : 'in'
    expect(said).toBe(verdict(endpoint, role, tenant))
  })

  it.each(allEndpoints.map((endpoint) => [endpoint.operation, endpoint] as const))(
    'of %s for nobody is a refusal, unless it is for everyone',
    async (_, endpoint) => {
      const body = endpoint.body ? '{' : undefined
      const { status } = await plane.send(endpoint.method, pathOf(endpoint, 'own'), { body })
      expect(status === 401).toBe(endpoint.permission !== 'public')
    },
  )

  it('asks for each object of an apply by itself', async () => {
    const apply = async (role: Role, object: object) => {
      const got = await plane.send('POST', '/v1/apply', { token: tokens.get(role) ?? '', body: { objects: [object] } })
      return got.json.reason ?? got.status
    }
    expect(await apply('viewer', workloadOf('a', {}, { tenant: 'own' }))).toBe('permission_denied')
    expect(await apply('operator', workloadOf('a', {}, { tenant: 'own' }))).toBe(200)
    expect(await apply('operator', workloadOf('a', {}, { tenant: 'foreign' }))).toBe('object_not_found')
    expect(await apply('admin', tenantOf('mine'))).toBe('permission_denied')
    expect(await apply('system', tenantOf('mine'))).toBe(200)
  })
})
