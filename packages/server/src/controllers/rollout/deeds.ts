/** Pure: what a rollout decided, as commands over exactly what it was decided from. */
import type { InstanceSpec, ObjectOf, RolloutSpec } from '@gantry/core'
import { inPlaceUpdate } from '@gantry/providers'
import { keyOf } from '@gantry/reconcile'
import type { Command } from '@gantry/store'
import { instanceSpec, putInstance } from '../../rollout/instance-spec.ts'
import type { Deed } from '../../rollout/step.ts'
import type { Looked } from './look.ts'

type Put = Extract<Deed, { do: 'put' }>

export function commandsFor({ spec }: ObjectOf<'Rollout'>, { workload, instances }: Looked, deed: Deed): Command[] {
  const before = instances.find((instance) => instance.spec.slot === deed.slot)
  if (deed.do === 'remove') {
    if (!before) return []
    const { uid, generation } = before.metadata
    return [{ op: 'delete', key: keyOf(before), ifUid: uid, ifGeneration: generation }]
  }
  return [putInstance(workload, before, chosenSpec(spec, workload, before, deed))]
}

/** What the slot is to be from now on. */
export function chosenSpec(
  spec: RolloutSpec,
  workload: ObjectOf<'Workload'>,
  before: ObjectOf<'Instance'> | undefined,
  { slot, release, restartStamp, paused }: Put,
): InstanceSpec {
  return instanceSpec(workload, {
    slot,
    // Where an instance runs never changes: another place takes another instance.
    provider: before?.spec.provider ?? spec.provider,
    type: before?.spec.type ?? spec.type,
    release,
    restartStamp,
    update: inPlaceUpdate(spec.strategy, spec.type),
    paused,
  })
}
