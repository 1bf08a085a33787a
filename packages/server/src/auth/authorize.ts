/**
 * From who asks and what the endpoint says to what the handler may see. The only place, with `control-plane.ts`, where a
 * system scope is made. A tenant in which the caller has no role is not there for them: whether it exists is not looked at.
 */
import { allowed, type Endpoint, type Identity, kindPermission, type Permission } from '@gantry/api'
import { Fault } from '@gantry/core'
import { type Scope, systemScope } from '@gantry/store'
import type { ObjectAccess } from '../app/request.ts'

export type Access = Scope | ObjectAccess | undefined

export function authorize(endpoint: Endpoint, identity: Identity | undefined, params: unknown): Access {
  if (endpoint.permission === 'public') return undefined
  if (!identity) throw new Fault('not_signed_in', 'Nobody is signed in; send Authorization: Bearer with a token')
  switch (endpoint.scope) {
    case 'none':
      return undefined
    case 'system':
      admit(identity, endpoint.permission, undefined)
      return systemScope()
    case 'tenant': {
      const { tenant } = params as { tenant: string }
      admit(identity, endpoint.permission, tenant)
      return { tenant }
    }
    case 'objects':
      return objectAccess(identity)
    default:
      return endpoint satisfies never
  }
}

function admit(identity: Identity, permission: Permission, tenant: string | undefined): void {
  if (allowed(identity, permission, tenant)) return
  if (tenant !== undefined && !hasRoleIn(identity, tenant)) throw noTenant(tenant)
  const where = tenant === undefined ? 'in the installation as a whole' : `in tenant "${tenant}"`
  throw new Fault('permission_denied', `${identity.name} may not do this: it takes ${permission} ${where}`)
}

function hasRoleIn({ grants }: Identity, tenant: string): boolean {
  return grants.some((grant) => grant.role === 'system' || grant.tenant === tenant)
}

/** The same words whether there is none, or none for this caller. */
export function noTenant(tenant: string): Fault {
  return new Fault('object_not_found', `There is no tenant "${tenant}", as far as this caller can see`)
}

function objectAccess(identity: Identity): ObjectAccess {
  return {
    admit: (kind, tenant, verb) => admit(identity, kindPermission(kind, verb), tenant),
    scopeOf(tenants) {
      const [only] = tenants
      if (tenants.size === 1 && only !== undefined) return { tenant: only }
      if (identity.grants.some(({ role }) => role === 'system')) return systemScope()
      throw new Fault('bad_request', 'These are objects of several tenants; send those of one tenant at a time')
    },
  }
}
