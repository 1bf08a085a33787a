/** Pure: the replicas of both slots as one list. */
import type { ReplicaList } from '@gantry/api'
import type { ObjectOf } from '@gantry/core'

export function replicasOf(instances: readonly Pick<ObjectOf<'Instance'>, 'spec' | 'status'>[]): ReplicaList {
  const items = instances.flatMap(({ spec: { slot, provider }, status }) =>
    (status.replicas ?? []).map((replica) => ({ ...replica, slot, provider })),
  )
  const blind = instances.flatMap(({ spec, status }) => (status.blind ? [[spec.slot, status.blind] as const] : []))
  return {
    items: items.toSorted((a, b) => a.slot.localeCompare(b.slot) || a.index - b.index),
    blind: Object.fromEntries(blind),
  }
}
