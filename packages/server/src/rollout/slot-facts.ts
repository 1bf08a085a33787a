/** Pure: from an Instance to what a rollout has to know of a slot. */
import type { ObjectOf, ReplicaStatus } from '@gantry/core'
import { troubleOf } from '../controllers/workload/trouble.ts'
import type { Exit, SlotFacts } from './facts.ts'

export function slotFacts(instance: ObjectOf<'Instance'>): SlotFacts {
  const { metadata, spec, status } = instance
  const { replicas = [], blind, stalled, waitingFor, specHash } = status
  const current = status.observedGeneration === metadata.generation
  const lastReady = status.readyReplicas ?? 0
  const trouble = troubleOf(instance)
  const updated = replicas.filter((replica) => !replica.terminating && replica.specHash === specHash)
  return {
    slot: spec.slot,
    generation: metadata.generation,
    provider: spec.provider,
    type: spec.type,
    release: spec.release,
    restartStamp: spec.restartStamp,
    paused: spec.paused,
    wanted: spec.run === 'stopped' ? 0 : spec.replicas,
    deleting: metadata.deletionRequestedAt !== undefined,
    current,
    settled: current && blind === undefined && status.settled === true,
    // Unknown never leaves rotation, but what was not in it does not come in either.
    ready: blind && lastReady > 0 ? undefined : lastReady,
    updated: updated.length,
    updatedReady: updated.filter(({ ready }) => ready === true).length,
    others: replicas.length - updated.length,
    allowanceMs: (spec.update.minReadySeconds + spec.stopGraceSeconds) * 1000,
    ...(blind && { blind }),
    ...(stalled && { stalled }),
    exits: updated.flatMap(exitsOf),
    ...(trouble !== undefined && { trouble }),
    ...(waitingFor !== undefined && { waitingFor }),
  }
}

/** Also one that runs again by now: a release whose processes end is not one to go on with. */
function exitsOf({ index, engineId, services }: ReplicaStatus): Exit[] {
  return Object.entries(services)
    .filter(([, { phase, restarts }]) => phase === 'crashed' || restarts > 0)
    .map(([service, { phase, exitCode, message, startedAt }]) => ({
      service,
      replica: index,
      engineId,
      ...(exitCode !== undefined && { exitCode }),
      // Of one that runs again it is about how it is now.
      ...(phase === 'crashed' && message !== undefined && { message }),
      ...(startedAt !== undefined && { startedAt: Date.parse(startedAt) }),
    }))
}
