import type { Finding } from '../../../validation/issues.ts'
import type { WorkloadFields, WorkloadSpec } from '../spec.ts'

/** What crosses fields. Sees the spec with everything decided, and what the user wrote; paths begin below `spec`. */
export type WorkloadRule = (spec: WorkloadSpec, written: WorkloadFields) => Finding[]

/** Indexes of all that repeat an earlier one. `undefined` is nobody's key. */
export function repeated<T>(items: readonly T[], key: (item: T) => string | undefined): number[] {
  if (items.length < 2) return []
  const seen = new Set<string>()
  return items.flatMap((item, at) => {
    const own = key(item)
    if (own === undefined) return []
    const known = seen.has(own)
    seen.add(own)
    return known ? [at] : []
  })
}
