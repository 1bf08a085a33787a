/** The tenants themselves: whether one is there, and how much it may have. */
import { type Call, Fault, type GantryObject, type TenantSpec } from '@gantry/core'
import type { Store, SystemScope, UsageLimit } from '@gantry/store'
import { noTenant } from '../auth/authorize.ts'
import { limitsOf } from './limits.ts'

/** By the object itself: a tenant that the store gives out again has the same quota. */
const limitsBefore = new WeakMap<GantryObject, readonly UsageLimit[]>()

export class Tenants {
  readonly #store: Store
  readonly #scope: SystemScope

  constructor(store: Store, scope: SystemScope) {
    this.#store = store
    this.#scope = scope
  }

  /** What writes into the tenant are held to; throws if there is no such tenant, or it is about to go. */
  async limits(tenant: string, call: Call): Promise<readonly UsageLimit[]> {
    const found = await this.#store.read(this.#scope, { kind: 'Tenant', name: tenant }, call)
    if (!found) throw noTenant(tenant)
    if (found.metadata.deletionRequestedAt !== undefined) {
      throw new Fault('being_deleted', `Tenant "${tenant}" is being deleted; nothing new can be made in it`)
    }
    const limits = limitsBefore.get(found) ?? limitsOf(tenant, (found.spec as TenantSpec).quota)
    limitsBefore.set(found, limits)
    return limits
  }

  /** Throws if there is no such tenant. */
  async expect(tenant: string, call: Call): Promise<void> {
    const found = await this.#store.read(this.#scope, { kind: 'Tenant', name: tenant }, call)
    if (!found) throw noTenant(tenant)
  }
}
