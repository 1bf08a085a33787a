import { allowed, endpoints, type Identity, type Region } from '@gantry/api'
import { everyTenant, type ObjectOf } from '@gantry/core'
import { implement, type Routes } from '../app/implement.ts'
import type { RouteDeps } from './deps.ts'

/** Providers are the installation's, so they are read with the server's own scope; who asks sees what they may choose. */
export function regionRoutes({ store, scope }: RouteDeps): Routes['regions'] {
  return {
    list: implement(endpoints.regions.list, async ({ identity, signal }) => {
      const found: ObjectOf<'Provider'>[] = []
      let from: string | undefined
      do {
        const query = { kind: 'Provider', limit: 500, ...(from !== undefined && { continue: from }) }
        const page = await store.list(scope, query, { signal })
        found.push(...(page.items as ObjectOf<'Provider'>[]))
        from = page.continue
      } while (from !== undefined)
      return { body: { items: found.filter(({ spec }) => mayChoose(identity, spec.tenants)).map(regionOf) } }
    }),
  }
}

function mayChoose(identity: Identity, tenants: readonly string[]): boolean {
  if (allowed(identity, 'provider:read')) return true
  if (tenants.includes(everyTenant)) return identity.grants.length > 0
  return tenants.some((tenant) => allowed(identity, 'provider:choose', tenant))
}

/** What a Provider says of its place wins over what its engine found out about it. */
export function regionOf({ metadata, spec, status }: ObjectOf<'Provider'>): Region {
  const { region = status.facts?.region, country = status.facts?.country, city = status.facts?.city } = spec.location
  const { latitude, longitude } = spec.location
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
  return {
    provider: metadata.name,
    type: spec.type,
    ...(region !== undefined && { region }),
    location: {
      ...(country !== undefined && { country }),
      ...(city !== undefined && { city }),
      ...(latitude !== undefined && { latitude }),
      ...(longitude !== undefined && { longitude }),
    },
    health: {
      ready,
      ...(status.checkedAt !== undefined && { checkedAt: status.checkedAt }),
      ...(status.latencyMs !== undefined && { latencyMs: status.latencyMs }),
    },
  }
}
