/** Who asks, and what they were given. How they proved it is the server's matter. */

/** What can be given within one tenant, from least to most. */
export const tenantRoles = ['viewer', 'operator', 'admin'] as const
export type TenantRole = (typeof tenantRoles)[number]

/** `system` is given for the installation as a whole, and for no tenant. */
export const roles = [...tenantRoles, 'system'] as const
export type Role = (typeof roles)[number]

export type Grant = { readonly role: TenantRole; readonly tenant: string } | { readonly role: 'system' }

export type Identity = {
  /** As audit and events show it: `token:ci@shop`. */
  readonly name: string
  readonly grants: readonly Grant[]
}
