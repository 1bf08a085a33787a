import { defaultLimit, endpoints, type OfferedProvider } from '@gantry/api'
import { type Condition, type ObjectOf, servesTenant, type TenantSpec } from '@gantry/core'
import { implement, type Routes } from '../app/implement.ts'
import { noTenant } from '../auth/authorize.ts'
import { usedOf } from '../quota/limits.ts'
import type { RouteDeps } from './deps.ts'

/** Tenants and Providers are the installation's, so they are read with the server's own scope, after authorization. */
export function homeRoutes({ store, scope, tenants, events }: RouteDeps): Routes['home'] {
  return {
    quota: implement(endpoints.home.quota, async ({ access, params: { tenant }, signal }) => {
      const found = await store.read(scope, { kind: 'Tenant', name: tenant }, { signal })
      if (!found) throw noTenant(tenant)
      const { quota: limits, ...about } = found.spec as TenantSpec
      const used = usedOf(await store.usage(access, tenant, { signal }))
      return { body: { tenant, ...about, limits, used } }
    }),
    activity: implement(
      endpoints.home.activity,
      async ({ params: { tenant }, query: { since, limit = defaultLimit }, signal }) => {
        await tenants.expect(tenant, { signal })
        return { body: { items: await events.inTenant(tenant, { since, limit }, { signal }) } }
      },
    ),
    providers: implement(endpoints.home.providers, async ({ params: { tenant }, signal }) => {
      await tenants.expect(tenant, { signal })
      const offered: ObjectOf<'Provider'>[] = []
      let from: string | undefined
      do {
        const query = { kind: 'Provider', limit: 500, ...(from !== undefined && { continue: from }) }
        const page = await store.list(scope, query, { signal })
        offered.push(...(page.items as ObjectOf<'Provider'>[]).filter(({ spec }) => servesTenant(spec, tenant)))
        from = page.continue
      } while (from !== undefined)
      return { body: { items: offered.map(viewOf) } }
    }),
  }
}

/** What was said about its health is not shown either: it may well name an address. */
function viewOf({ metadata: { name }, spec, status }: ObjectOf<'Provider'>): OfferedProvider {
  const { region, country, city } = spec.location
  const ready: Condition['status'] = status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
  return { name, type: spec.type, ready, default: spec.default ?? false, location: { region, country, city } }
}
