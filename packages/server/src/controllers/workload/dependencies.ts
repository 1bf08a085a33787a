/** Pure: whether what a workload depends on is ready. It gates the first rollout only. */
import type { GantryObject } from '@gantry/core'
import { conditionOf } from '../conditions.ts'

export type Dependency = { readonly workload: string; readonly found: GantryObject | undefined }

/** What is waited for, so that "waiting for …" reads as a sentence; `undefined`: nothing. */
export function unmetDependencies(dependencies: readonly Dependency[]): string | undefined {
  const unmet = dependencies.flatMap(({ workload, found }) => {
    if (!found) return [`workload "${workload}", which does not exist,`]
    return conditionOf(found, 'Ready')?.status === 'True' ? [] : [`workload "${workload}"`]
  })
  return unmet.length === 0 ? undefined : `${unmet.join(' and ')} to be ready`
}
