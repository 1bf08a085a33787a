/** Which replica is meant: looked up in what was last seen, never asked for by a name that an engine would have to trust. */
import { type Call, Fault, instanceName, type ObjectOf, slots } from '@gantry/core'
import type { Endpoint, Engine, Observed, Ref, Replica, Slot } from '@gantry/providers'
import type { Scope, Store } from '@gantry/store'
import type { EngineHub } from '../engines/engine-hub.ts'
import { absent } from '../objects/write.ts'

export type TargetDeps = { readonly store: Store; readonly hub: EngineHub }
export type Wanted = { readonly service?: string | undefined; readonly replica?: number | undefined }
export type Target = {
  readonly engine: Engine
  readonly ref: Ref
  readonly replica: Replica
  readonly service: string
  readonly slot: Slot
  /** Of the replica, and behind them those of its instance as a whole. */
  readonly endpoints: readonly Endpoint[]
}

type Named = { readonly tenant: string; readonly name: string }
type Place = { readonly provider: string; readonly ref: Ref }

export async function findWorkload(store: Store, scope: Scope, { tenant, name }: Named, call: Call) {
  const key = { kind: 'Workload', tenant, name } as const
  const found = await store.read(scope, key, call)
  if (!found) throw absent(key)
  return found as unknown as ObjectOf<'Workload'>
}

/** Where the workload is on engines, as far as controllers have put it there. */
export async function placesOf(store: Store, scope: Scope, { tenant, name }: Named, call: Call): Promise<Place[]> {
  const places: Place[] = []
  for (const slot of slots) {
    const key = { kind: 'Instance', tenant, name: instanceName(name, slot) } as const
    const found = (await store.read(scope, key, call)) as unknown as ObjectOf<'Instance'> | undefined
    if (found)
      places.push({ provider: found.spec.provider, ref: { tenant, workload: name, uid: found.spec.uid, slot } })
  }
  return places
}

/** The first that is ready, of the slot that has the traffic; or what was named. */
export function chooseTarget(
  hub: EngineHub,
  places: readonly Place[],
  wanted: Wanted,
  stable: Slot | undefined,
): Target {
  let blind: Fault | undefined
  const found: Found[] = []
  for (const place of places) {
    const sight = hub.sight(place.provider, place.ref)
    if (sight.state === 'blind') blind = sight.fault
    else if (sight.observed) found.push(...foundIn(place, sight.observed))
  }
  const fitting = found
    .filter(({ replica }) => wanted.replica === undefined || replica.index === wanted.replica)
    .sort((left, right) => rank(right) - rank(left) || left.replica.index - right.replica.index)
  const [best] = fitting
  if (!best) {
    if (blind) throw blind
    const which = wanted.replica === undefined ? 'no replica' : `no replica ${wanted.replica}`
    throw new Fault('replica_not_found', `There is ${which} of it now; see its replicas`)
  }
  const { place, replica, endpoints } = best
  const service = serviceOf(replica, wanted.service)
  return { engine: hub.engine(place.provider), ref: place.ref, slot: place.ref.slot, replica, service, endpoints }

  function rank({ place, replica }: Found): number {
    return (replica.ready ? 4 : 0) + (replica.terminating ? 0 : 2) + (place.ref.slot === stable ? 1 : 0)
  }
}

type Found = { readonly place: Place; readonly replica: Replica; readonly endpoints: readonly Endpoint[] }

function foundIn(place: Place, { replicas, endpoints }: Observed): Found[] {
  return replicas.map((replica) => ({ place, replica, endpoints: [...replica.endpoints, ...endpoints] }))
}

function serviceOf({ services, index }: Replica, wanted: string | undefined): string {
  const name = wanted ?? Object.entries(services).find(([, { role }]) => role === 'main')?.[0]
  if (name !== undefined && Object.hasOwn(services, name)) return name
  const known = Object.keys(services).join(', ')
  throw new Fault(
    'service_not_found',
    `There is no service "${name ?? 'main'}" in replica ${index}; there are ${known}`,
  )
}
