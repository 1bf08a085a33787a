/** What must hold between the fields of a provider. */
import type { Finding } from '../../validation/issues.ts'
import { everyTenant, type ProviderSpec } from './spec.ts'

export function tenantsOnce({ tenants }: ProviderSpec): Finding[] {
  return tenants.flatMap((tenant, at) =>
    tenants.indexOf(tenant) === at ? [] : [{ path: ['tenants', at], message: `is there twice: ${tenant}` }],
  )
}

/** A name beside the star would look as if it were a limit. */
export function everybodyAlone({ tenants }: ProviderSpec): Finding[] {
  const at = tenants.indexOf(everyTenant)
  if (at === -1 || tenants.every((tenant) => tenant === everyTenant)) return []
  return [{ path: ['tenants', at], message: 'means every tenant, so no other may stand beside it' }]
}

export function wholePlace({ location: { latitude, longitude } }: ProviderSpec): Finding[] {
  if ((latitude === undefined) === (longitude === undefined)) return []
  const missing = latitude === undefined ? 'latitude' : 'longitude'
  const there = latitude === undefined ? 'longitude' : 'latitude'
  return [{ path: ['location', missing], message: `is required, because ${there} is given` }]
}

export const providerRules = [tenantsOnce, everybodyAlone, wholePlace] as const
