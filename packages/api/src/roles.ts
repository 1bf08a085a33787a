/** The one table of what each role may do, and the one function that reads it. */
import type { Grant, Identity, Role } from './identity.ts'
import { type Permission, permissions } from './permissions.ts'

const looking = [
  'quota:read',
  'provider:choose',
  'workload:read',
  'route:read',
  'release:read',
  'rollout:read',
  'instance:read',
  'secret:read',
] as const satisfies readonly Permission[]
const running = [
  'workload:write',
  'workload:exec',
  'workload:forward',
  'route:write',
  'secret:write',
  'secret:data',
] as const satisfies readonly Permission[]
const ruling = ['token:read', 'token:write', 'audit:read'] as const satisfies readonly Permission[]

/** Of a role that is given in a tenant, all of it holds in that tenant only; `system` holds everywhere. */
export const rolePermissions = {
  viewer: looking,
  operator: [...looking, ...running],
  admin: [...looking, ...running, ...ruling],
  system: permissions,
} as const satisfies Record<Role, readonly Permission[]>

/** `tenant`: where; left out: in the installation as a whole, which only `system` reaches. */
export function allowed(identity: Identity, permission: Permission, tenant?: string): boolean {
  return identity.grants.some((grant) => reaches(grant, tenant) && includes(rolePermissions[grant.role], permission))
}

function reaches(grant: Grant, tenant: string | undefined): boolean {
  return grant.role === 'system' || (tenant !== undefined && grant.tenant === tenant)
}

function includes(list: readonly Permission[], permission: Permission): boolean {
  return list.includes(permission)
}
