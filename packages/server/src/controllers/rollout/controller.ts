/** The controller that carries out rollouts. */
import type { GantryObject, ObjectOf } from '@gantry/core'
import { Controller, revisionOf, versionOf } from '@gantry/reconcile'
import { sourceOf } from '@gantry/store'
import type { TrafficView } from '../../rollout/traffic.ts'
import type { RolloutDeps } from './look.ts'
import { reconcileRollout } from './reconcile.ts'

export function rolloutController(deps: RolloutDeps): Controller {
  const { store, scope, clock, random, ownership, feeds, onTrouble } = deps
  const source = (kind: string) => sourceOf(store, scope, kind)
  return new Controller({
    name: 'rollout',
    kind: 'Rollout',
    source: source('Rollout'),
    reconcile: reconcileRollout(deps),
    clock,
    random,
    workers: 32,
    watched: [
      // Everything that is seen of an instance may be what is waited for.
      { source: source('Instance'), revision: versionOf },
      { source: source('Workload'), revision: revisionOf },
      { source: source('Rollout'), revision: phaseOf },
    ],
    onTrouble,
    ...(ownership && { ownership }),
    ...(feeds && { feeds }),
  })
}

/** Of its neighbours a rollout cares only whether they are there and have ended. */
function phaseOf(object: GantryObject): string {
  const { metadata, status } = object as ObjectOf<'Rollout'>
  return `${metadata.uid} ${status.phase ?? ''}`
}

/** What is new at the edge brings back the rollout that it is about. Returns what ends it. */
export function wakeRollouts(traffic: TrafficView, rollouts: Pick<Controller, 'add' | 'knows'>): () => void {
  return traffic.subscribe(({ tenant, name }) => {
    const key = { kind: 'Rollout', tenant, name }
    if (rollouts.knows(key)) rollouts.add(key)
  })
}
