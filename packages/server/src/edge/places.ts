/** Pure: who answers at which host and path, where several ask for the same. */
import { type ObjectOf, ownHost } from '@gantry/core'
import type { RoutedWorkload } from './routed-objects.ts'

export type Place = {
  /** Of the route in the table. */
  readonly id: string
  readonly host: string
  readonly path: string
  readonly workload: RoutedWorkload
  /** The Route that asks for it; absent for the name that every workload has by itself. */
  readonly route?: ObjectOf<'Route'>
  /** The http port by name; absent: the first of the main service. */
  readonly port?: string
}

export type RouteTrouble = { readonly reason: 'host_taken' | 'place_taken' | 'no_workload'; readonly message: string }

export type Places = {
  readonly places: readonly Place[]
  /** Routes that are not, or not all, in force, by uid. */
  readonly troubles: ReadonlyMap<string, RouteTrouble>
}

/** The id of the route by the name that a workload has by itself. */
export const ownPlace = (tenant: string, name: string): string => `${tenant}/${name}`

export function placesOf(workloads: readonly RoutedWorkload[], routes: readonly ObjectOf<'Route'>[]): Places {
  const byName = new Map(
    workloads.map((workload) => [keyOf(workload.metadata.tenant, workload.metadata.name), workload]),
  )
  const places = workloads.map((workload): Place => {
    const { name, tenant = '' } = workload.metadata
    return { id: ownPlace(tenant, name), host: ownHost(name, tenant), path: '/', workload }
  })
  const troubles = new Map<string, RouteTrouble>()
  const owners = new Map<string, string>()
  const taken = new Map<string, string>()
  for (const route of routes.toSorted(byAge)) {
    const { tenant = '', name, uid } = route.metadata
    const workload = byName.get(keyOf(tenant, route.spec.workload))
    // Claimed all the same: a name must not change hands because a workload is away for a moment.
    for (const host of route.spec.hosts) {
      const owner = owners.get(host) ?? tenant
      owners.set(host, owner)
      if (owner !== tenant) {
        troubles.set(uid, { reason: 'host_taken', message: `${host} belongs to another tenant, who named it first` })
        continue
      }
      for (const path of route.spec.paths) {
        const holder = taken.get(`${host}${path}`)
        if (holder !== undefined) {
          troubles.set(uid, {
            reason: 'place_taken',
            message: `${host}${path} is the Route ${holder}'s, which is older`,
          })
          continue
        }
        taken.set(`${host}${path}`, name)
        const port = route.spec.port === undefined ? {} : { port: route.spec.port }
        if (workload) places.push({ id: `${tenant}/${name}:${host}${path}`, host, path, workload, route, ...port })
      }
    }
    if (!workload) {
      troubles.set(uid, { reason: 'no_workload', message: `There is no workload "${route.spec.workload}"` })
    }
  }
  return { places, troubles }
}

function byAge({ metadata: one }: ObjectOf<'Route'>, { metadata: other }: ObjectOf<'Route'>): number {
  return one.createdAt.localeCompare(other.createdAt) || one.uid.localeCompare(other.uid)
}

const keyOf = (tenant: string | undefined, name: string): string => `${tenant ?? ''}/${name}`
