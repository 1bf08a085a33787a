/** Pure: which share each slot of a workload gets, by its newest rollout that has said so. */
import type { Slot } from '@gantry/providers'
import type { RoutedRollout, RoutedWorkload } from './routed-objects.ts'

export type Shares = Readonly<Record<Slot, number>>

/** Rollouts of each workload, newest first. */
export function rolloutsByOwner(rollouts: readonly RoutedRollout[]): ReadonlyMap<string, readonly RoutedRollout[]> {
  const byOwner = new Map<string, RoutedRollout[]>()
  for (const rollout of rollouts) {
    const owner = rollout.metadata.ownerRefs[0]?.uid
    if (owner === undefined) continue
    const list = byOwner.get(owner)
    if (list) list.push(rollout)
    else byOwner.set(owner, [rollout])
  }
  for (const list of byOwner.values()) list.sort((one, other) => other.spec.number - one.spec.number)
  return byOwner
}

/** Where nobody has decided yet, the slot that is trusted gets all. */
export function sharesOf({ status }: RoutedWorkload, rollouts: readonly RoutedRollout[] | undefined): Shares {
  const weights = rollouts?.find((rollout) => rollout.status.weights !== undefined)?.status.weights
  return weights ?? (status.stable === 'b' ? { a: 0, b: 100 } : { a: 100, b: 0 })
}
