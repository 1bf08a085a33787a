/** What a plan sees of what runs: part of its hash, so that an apply is refused when that has moved. */
import { type Call, instanceName, type ObjectOf, type PlanBasis, slots } from '@gantry/core'
import type { Observed } from '@gantry/providers'
import type { Store, SystemScope } from '@gantry/store'
import type { EngineHub } from '../engines/engine-hub.ts'

/**
 * Per instance of a workload its engine ids, spec hash and replica count; never readiness, restarts or times, which move by
 * themselves.
 */
export type ObservedFingerprint = (
  workload: { readonly tenant: string; readonly name: string; readonly uid: string },
  call: Call,
) => Promise<PlanBasis['instances']>

/** Where nothing runs anything. */
export const nothingRuns: ObservedFingerprint = async () => []

/** What cannot be looked at is a fingerprint of its own: a plan made blind holds only for as long as nobody can look. */
const unseen = 'unseen'

export function observedBy(store: Store, scope: SystemScope, hub: Pick<EngineHub, 'sight'>): ObservedFingerprint {
  return async ({ tenant, name, uid }, call) => {
    const found: PlanBasis['instances'][number][] = []
    for (const slot of slots) {
      const object = { kind: 'Instance', tenant, name: instanceName(name, slot) }
      const instance = (await store.read(scope, object, call)) as ObjectOf<'Instance'> | undefined
      if (!instance) continue
      const sight = hub.sight(instance.spec.provider, { tenant, workload: name, uid, slot })
      const seen = sight.state === 'seen' ? printOf(sight.observed) : { engineIds: [], specHash: unseen, replicas: 0 }
      found.push({ object, slot, ...seen })
    }
    return found
  }
}

/** Replicas on their way out are not counted: they go by themselves. */
function printOf(
  observed: Observed | undefined,
): Pick<PlanBasis['instances'][number], 'engineIds' | 'specHash' | 'replicas'> {
  const stay = (observed?.replicas ?? []).filter(({ terminating }) => !terminating)
  const hashes = new Set(stay.map(({ specHash }) => specHash))
  return {
    engineIds: stay.map(({ engineId }) => engineId).toSorted(),
    specHash: [...hashes].toSorted().join(' '),
    replicas: stay.length,
  }
}
