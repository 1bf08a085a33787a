/** Pure: from what is wished and what was seen to the table that the edge routes by, and what to say about each Route. */

import type { ObjectOf } from '@gantry/core'
import { slots } from '@gantry/core'
import type { EdgeBackend, EdgeRoute, EdgeSlot, EdgeTable } from '@gantry/edge'
import type { Slot } from '@gantry/providers'
import { conditionOf } from '../controllers/conditions.ts'
import { backendsOf, isTunnelled, type WantedPort, wantedPort } from './backends.ts'
import { type Place, placesOf } from './places.ts'
import type { RoutedWorkload } from './routed-objects.ts'
import { rolloutsByOwner, type Shares, sharesOf } from './weights.ts'
import type { RoutedInstance, Wishes } from './wishes.ts'

export type RouteVerdict = {
  readonly route: ObjectOf<'Route'>
  readonly ready: boolean
  readonly reason: string
  readonly message: string
}

export type Compiled = {
  /** Everything but its number. */
  readonly table: Omit<EdgeTable, 'number'>
  readonly verdicts: readonly RouteVerdict[]
}

export function compileTable(wishes: Wishes): Compiled {
  const { places, troubles } = placesOf(wishes.workloads, wishes.routes)
  const rollouts = rolloutsByOwner(wishes.rollouts)
  const instances = new Map(wishes.instances.map((instance) => [`${instance.uid}/${instance.slot}`, instance]))
  const backends = new Map<string, EdgeBackend>()
  const routes: EdgeRoute[] = []
  const unserved = new Map<string, string>()
  for (const place of places) {
    const { uid } = place.workload.metadata
    const shares = sharesOf(place.workload, rollouts.get(uid))
    const route = routeAt(place, shares, instances, wishes, backends)
    if (route) routes.push(route)
    const trouble = route ? route.why : `The workload has no http port ${place.port ?? 'at all'}`
    if (place.route && trouble !== undefined) unserved.set(place.route.metadata.uid, trouble)
  }
  const table = { version: 1, backends: [...backends.values()], routes, trusted: wishes.trusted } as const
  const verdicts = wishes.routes.map((route): RouteVerdict => {
    const trouble = troubles.get(route.metadata.uid)
    const nobody = unserved.get(route.metadata.uid)
    if (trouble) return { route, ready: false, ...trouble }
    if (nobody !== undefined) return { route, ready: false, reason: 'nobody_answers', message: nobody }
    return { route, ready: true, reason: 'routed', message: `${route.spec.workload} answers` }
  })
  return { table, verdicts }
}

function routeAt(
  place: Place,
  shares: Shares,
  instances: ReadonlyMap<string, RoutedInstance>,
  wishes: Wishes,
  backends: Map<string, EdgeBackend>,
): EdgeRoute | undefined {
  const { id, host, path, workload } = place
  const { name, tenant = '', uid } = workload.metadata
  const ofSlot = (slot: Slot): RoutedInstance | undefined => instances.get(`${uid}/${slot}`)
  const seen = workload.spec.source ? slots.flatMap((slot) => ofSlot(slot)?.endpoints ?? []) : []
  const wanted = wantedPort(workload.spec, place.port, seen)
  if (!wanted) return undefined
  const found = slots.map((slot): EdgeSlot => {
    const instance = ofSlot(slot)
    const of = instance ? backendsOf(instance, wanted, wishes) : { backends: [], serving: [] }
    for (const backend of of.backends) backends.set(backend.id, backend)
    return { slot, weight: shares[slot], backends: of.serving }
  })
  const answers = found.some((slot) => slot.weight > 0 && slot.backends.length > 0)
  return {
    id,
    host,
    path,
    workload: { tenant, name, uid },
    slots: found,
    ...(!answers && {
      why: whyNobody(
        workload,
        wanted,
        slots.filter((slot) => shares[slot] > 0).flatMap((slot) => ofSlot(slot) ?? []),
      ),
    }),
  }
}

/** In the workload's own words, which are those that its owner reads everywhere else. */
function whyNobody(workload: RoutedWorkload, wanted: WantedPort, instances: readonly RoutedInstance[]): string {
  if (workload.metadata.deletionRequestedAt !== undefined) return 'It is being deleted.'
  if (workload.spec.run === 'stopped') return 'It is stopped.'
  if (workload.spec.replicas === 0) return 'It is scaled to no replicas.'
  if (instances.some((instance) => isTunnelled(instance, wanted))) {
    const next = `run "gantry port-forward ${workload.metadata.name} :${wanted.port}"`
    return `It is reached only through the API of its engine, which the edge cannot do; ${next}.`
  }
  const ready = conditionOf(workload, 'Ready')
  return ready && ready.status !== 'True' && ready.message !== '' ? ready.message : 'No replica is ready.'
}
