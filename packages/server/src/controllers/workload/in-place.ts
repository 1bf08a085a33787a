/** Pure: what of a workload's instances changes without a rollout. */
import type { ObjectOf } from '@gantry/core'
import { type Command, sameJson } from '@gantry/store'
import { inPlaceSpec, putInstance } from '../../rollout/instance-spec.ts'

export function inPlaceChanges(
  workload: ObjectOf<'Workload'>,
  instances: readonly ObjectOf<'Instance'>[],
): readonly Command[] {
  return instances.flatMap((instance): Command[] => {
    const next = inPlaceSpec(workload, instance)
    const isSame = sameJson(next, instance.spec)
    return isSame || instance.metadata.deletionRequestedAt !== undefined ? [] : [putInstance(workload, instance, next)]
  })
}
