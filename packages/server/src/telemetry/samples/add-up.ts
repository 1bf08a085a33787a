/** Pure: what both slots of a workload use together. */
import type { Usage } from '@gantry/providers'
import type { Sample } from './sample-store.ts'

const figures = [
  'cpuMillis',
  'memoryBytes',
  'memoryLimitBytes',
  'diskBytes',
  'networkInBytes',
  'networkOutBytes',
] as const satisfies readonly (keyof Usage)[]

/** A figure that one of them does not have is no figure of the whole. `undefined`: nothing runs. */
export function addUp(usages: readonly Usage[]): Sample | undefined {
  const [first] = usages
  if (!first) return undefined
  const sums = figures.flatMap((figure) => {
    const values = usages.map((usage) => usage[figure])
    const known = values.filter((value) => value !== undefined)
    return known.length === usages.length ? [[figure, known.reduce((sum, value) => sum + value, 0)] as const] : []
  })
  return { at: first.at, ...Object.fromEntries(sums) }
}
