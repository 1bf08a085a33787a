/** Pure: what of a workload's instances changes without a rollout. */
import { canonicalJson, type ObjectOf } from '@gantry/core'
import { keyOf } from '@gantry/reconcile'
import type { Command } from '@gantry/store'
import { inPlaceFields } from '../instance-fields.ts'

export function inPlaceChanges(
  workload: ObjectOf<'Workload'>,
  instances: readonly ObjectOf<'Instance'>[],
): readonly Command[] {
  const wanted = inPlaceFields(workload)
  return instances.flatMap((instance): Command[] => {
    const { metadata, spec } = instance
    const next = { ...spec, ...wanted }
    if (metadata.deletionRequestedAt !== undefined || canonicalJson(next) === canonicalJson(spec)) return []
    const { labels, annotations, generation } = metadata
    return [
      { op: 'replace', draft: { key: keyOf(instance), spec: next, labels, annotations }, ifGeneration: generation },
    ]
  })
}
