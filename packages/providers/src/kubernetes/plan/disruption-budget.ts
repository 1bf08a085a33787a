/** Pure: how many replicas may be away for the sake of the nodes they are on. */
import type { Desired } from '../../desired.ts'
import { resources } from '../api/resources.ts'
import type { DisruptionBudget } from '../api/types/workloads.ts'
import { type Labels, selectorOf } from './labels.ts'
import { type PlannedObject, planned } from './planned.ts'
import { replicasOf } from './workload.ts'

/** One at a time. Where there is only one, a budget would keep its node from ever being emptied. */
export function disruptionBudget(
  desired: Desired,
  { labels, ...at }: { readonly namespace: string; readonly name: string; readonly labels: Labels },
): PlannedObject<DisruptionBudget>[] {
  if (replicasOf(desired) < 2) return []
  const selector = { matchLabels: selectorOf(desired) }
  const spec = { maxUnavailable: 1, selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } as const
  return [planned<DisruptionBudget>(resources.disruptionBudget, at, { labels }, { spec })]
}
