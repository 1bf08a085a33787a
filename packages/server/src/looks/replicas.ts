/** Pure: the replicas of both slots as one list. */
import type { ReplicaList } from '@gantry/api'
import type { ObjectOf } from '@gantry/core'
import type { Unkept } from '../objects/status-keeping.ts'

/** `unkept`: why what is known is not of now, though everything could be looked at. */
export function replicasOf(
  instances: readonly Pick<ObjectOf<'Instance'>, 'spec' | 'status'>[],
  unkept?: Unkept,
): ReplicaList {
  const items = instances.flatMap(({ spec: { slot, provider }, status }) =>
    (status.replicas ?? []).map((replica) => ({ ...replica, slot, provider })),
  )
  const blind = instances.flatMap(({ spec, status }) => {
    const cause = status.blind ?? unkept
    return cause ? [[spec.slot, cause] as const] : []
  })
  return {
    items: items.toSorted((a, b) => a.slot.localeCompare(b.slot) || a.index - b.index),
    blind: Object.fromEntries(blind),
  }
}
