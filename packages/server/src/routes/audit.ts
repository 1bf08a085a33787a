import { defaultLimit, endpoints } from '@gantry/api'
import type { Call } from '@gantry/core'
import type { Scope } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import type { RouteDeps } from './deps.ts'

type Query = {
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly order?: 'oldest' | 'newest' | undefined
}

export function auditRoutes(deps: RouteDeps): Routes['audit'] {
  return {
    list: implement(endpoints.audit.list, async ({ access, params: { tenant }, query, signal }) => {
      await deps.tenants.expect(tenant, { signal })
      return await page(access, { ...query, tenant }, { signal })
    }),
    listAll: implement(endpoints.audit.listAll, ({ access, query, signal }) => page(access, query, { signal })),
    verify: implement(endpoints.audit.verify, async ({ access, signal }) => ({
      body: await deps.store.verifyAudit(access, { signal }),
    })),
  }

  async function page(scope: Scope, { tenant, ...query }: Query & { tenant?: string }, call: Call) {
    const { entries, ...rest } = await deps.store.audit(
      scope,
      {
        ...(tenant !== undefined && { tenant }),
        limit: query.limit ?? defaultLimit,
        order: query.order ?? 'newest',
        ...(query.continue !== undefined && { continue: query.continue }),
      },
      call,
    )
    return { body: { items: entries.map(({ effects, ...entry }) => ({ ...entry, effects: [...effects] })), ...rest } }
  }
}
