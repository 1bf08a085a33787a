/** What ties everything that is made for a workload to it: it goes with its owner, and is found by a label. */
import type { GantryObject, OwnerRef } from '@gantry/core'
import { label } from '@gantry/providers'

export function madeFor({ kind, metadata: { name, uid } }: Pick<GantryObject, 'kind' | 'metadata'>): {
  readonly ownerRefs: readonly OwnerRef[]
  readonly labels: Readonly<Record<string, string>>
} {
  return { ownerRefs: [{ kind, name, uid }], labels: { [label.workload]: name } }
}

/** As a label selector. */
export const madeForSelector = (workload: string): string => `${label.workload}=${workload}`
