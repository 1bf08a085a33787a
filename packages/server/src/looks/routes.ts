/** What there is of one workload beside its own object. */
import { endpoints } from '@gantry/api'
import { instanceName, type KindName, type ObjectOf, slots } from '@gantry/core'
import type { TenantScope } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import { madeForSelector } from '../controllers/workload/made-for.ts'
import { absent } from '../objects/write.ts'
import type { RouteDeps } from '../routes/deps.ts'
import { listObjects } from '../routes/list.ts'
import { replicasOf } from './replicas.ts'

type Place = { readonly params: { readonly tenant: string; readonly name: string }; readonly access: TenantScope }
type Listed = Place & Parameters<typeof listObjects>[2]

export function lookRoutes(deps: RouteDeps): Routes['looks'] {
  const own = endpoints.looks

  async function expect({ params, access, signal }: Place & { readonly signal: AbortSignal }): Promise<void> {
    const key = { kind: 'Workload', ...params }
    if (!(await deps.store.read(access, key, { signal }))) throw absent(key)
  }

  async function madeFor(kind: KindName, request: Listed) {
    await expect(request)
    const { params, access, query } = request
    const selector = [madeForSelector(params.name), ...(query.labelSelector ? [query.labelSelector] : [])].join(',')
    const selected = { ...request, query: { ...query, labelSelector: selector } }
    return await listObjects(deps, { kind, scope: access, tenant: params.tenant }, selected)
  }

  return {
    releases: implement(own.releases, (request) => madeFor('Release', request)),
    rollouts: implement(own.rollouts, (request) => madeFor('Rollout', request)),
    replicas: implement(own.replicas, async (request) => {
      await expect(request)
      const { params, access, signal } = request
      const instances: ObjectOf<'Instance'>[] = []
      for (const slot of slots) {
        const key = { kind: 'Instance', tenant: params.tenant, name: instanceName(params.name, slot) }
        const found = await deps.store.read(access, key, { signal })
        if (found) instances.push(found as ObjectOf<'Instance'>)
      }
      const unkept = deps.keeping.of({ kind: 'Workload', ...params })
      return { body: replicasOf(instances, unkept) }
    }),
  }
}
