/** Pure: what each replica of a workload uses, by what people call it. */
import type { UsageReply } from '@gantry/api'
import type { Observed, Usage } from '@gantry/providers'

export type ReplicaFigures = NonNullable<UsageReply['replicas']>[number]

/** `undefined` where an engine tells only of all together: some of them would look like all. */
export function byReplica(
  found: readonly { readonly usage: Usage; readonly observed: Observed }[],
): ReplicaFigures[] | undefined {
  if (found.some(({ usage }) => usage.replicas === undefined)) return undefined
  return found.flatMap(({ usage, observed: { ref, replicas } }) =>
    (usage.replicas ?? []).flatMap(({ engineId, ...figures }) => {
      const replica = replicas.find((one) => one.engineId === engineId)
      return replica ? [{ slot: ref.slot, replica: replica.index, ...figures }] : []
    }),
  )
}
