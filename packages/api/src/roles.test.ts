import { describe, expect, it } from 'vitest'
import { type Identity, type Role, roles } from './identity.ts'
import { type Permission, permissions } from './permissions.ts'
import { allowed, rolePermissions } from './roles.ts'

/** Written out by hand, so that a change of the table is a change of two places. */
const table: Record<Permission, readonly Role[]> = {
  'tenant:read': ['system'],
  'tenant:write': ['system'],
  'provider:read': ['system'],
  'provider:write': ['system'],
  'provider:choose': ['viewer', 'operator', 'admin', 'system'],
  'quota:read': ['viewer', 'operator', 'admin', 'system'],
  'workload:read': ['viewer', 'operator', 'admin', 'system'],
  'workload:write': ['operator', 'admin', 'system'],
  'workload:exec': ['operator', 'admin', 'system'],
  'workload:forward': ['operator', 'admin', 'system'],
  'route:read': ['viewer', 'operator', 'admin', 'system'],
  'route:write': ['operator', 'admin', 'system'],
  'release:read': ['viewer', 'operator', 'admin', 'system'],
  'rollout:read': ['viewer', 'operator', 'admin', 'system'],
  'instance:read': ['viewer', 'operator', 'admin', 'system'],
  'secret:read': ['viewer', 'operator', 'admin', 'system'],
  'secret:write': ['operator', 'admin', 'system'],
  'secret:data': ['operator', 'admin', 'system'],
  'token:read': ['admin', 'system'],
  'token:write': ['admin', 'system'],
  'audit:read': ['admin', 'system'],
  'audit:verify': ['system'],
  'metrics:read': ['system'],
  'backup:read': ['system'],
}

const who = (role: Role, tenant = 'own'): Identity => ({
  name: `token:${role}`,
  grants: [role === 'system' ? { role } : { role, tenant }],
})

describe('who may do what', () => {
  const rows = roles.flatMap((role) => permissions.map((permission) => [role, permission] as const))

  it.each(rows)('%s, %s', (role, permission) => {
    const may = table[permission].includes(role)
    expect(allowed(who(role), permission, 'own')).toBe(may)
    expect(allowed(who(role), permission, 'foreign')).toBe(may && role === 'system')
    expect(allowed(who(role), permission)).toBe(may && role === 'system')
  })

  it('grows from viewer to operator to admin to system', () => {
    const steps = roles.map((role): ReadonlySet<string> => new Set(rolePermissions[role]))
    for (const [at, lesser] of steps.slice(0, -1).entries()) {
      const greater = steps[at + 1]
      expect([...lesser].every((permission) => greater?.has(permission))).toBe(true)
      expect(greater?.size).toBeGreaterThan(lesser.size)
    }
  })

  it('is nothing for somebody who was given nothing', () => {
    for (const permission of permissions) {
      expect(allowed({ name: 'nobody', grants: [] }, permission, 'own')).toBe(false)
      expect(allowed({ name: 'nobody', grants: [] }, permission)).toBe(false)
    }
  })

  it('adds up over tenants, and does not mix them', () => {
    const both: Identity = {
      name: 'user:eva',
      grants: [
        { role: 'viewer', tenant: 'a' },
        { role: 'admin', tenant: 'b' },
      ],
    }
    expect(allowed(both, 'workload:read', 'a')).toBe(true)
    expect(allowed(both, 'workload:write', 'a')).toBe(false)
    expect(allowed(both, 'token:write', 'b')).toBe(true)
    expect(allowed(both, 'workload:read', 'c')).toBe(false)
  })

  it('is not widened by a tenant that is called like a role or like nothing', () => {
    expect(allowed(who('admin', 'system'), 'tenant:write')).toBe(false)
    expect(allowed(who('admin', ''), 'workload:read')).toBe(false)
    expect(allowed(who('admin', '*'), 'workload:read', 'own')).toBe(false)
  })
})
