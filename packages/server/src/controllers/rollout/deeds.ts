/** Pure: what a rollout decided, as commands over exactly what it was decided from. */
import type { ObjectOf } from '@gantry/core'
import { inPlaceUpdate } from '@gantry/providers'
import { keyOf } from '@gantry/reconcile'
import type { Command } from '@gantry/store'
import { instanceSpec, putInstance } from '../../rollout/instance-spec.ts'
import type { Deed } from '../../rollout/step.ts'
import type { Looked } from './look.ts'

export function commandsFor({ spec }: ObjectOf<'Rollout'>, { workload, instances }: Looked, deed: Deed): Command[] {
  const before = instances.find((instance) => instance.spec.slot === deed.slot)
  if (deed.do === 'remove') {
    if (!before) return []
    const { uid, generation } = before.metadata
    return [{ op: 'delete', key: keyOf(before), ifUid: uid, ifGeneration: generation }]
  }
  const { slot, release, restartStamp, paused } = deed
  const next = instanceSpec(workload, {
    slot,
    // Where an instance runs never changes: another place takes another instance.
    provider: before?.spec.provider ?? spec.provider,
    type: before?.spec.type ?? spec.type,
    release,
    restartStamp,
    update: inPlaceUpdate(spec.strategy, spec.type),
    paused,
  })
  return [putInstance(workload, before, next)]
}
