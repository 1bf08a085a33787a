/** A manifest as the store takes it. */
import type { GantryObject, KindName, Manifest, ObjectKey } from '@gantry/core'
import type { Draft } from '@gantry/store'
import { usageOf } from '../quota/usage.ts'
import { publicNotes } from './annotations.ts'

/** `notes`: those that the server keeps for itself. `uid`: of one that is new, where somebody had to know it already. */
export function draftOf(
  kind: KindName,
  manifest: Manifest,
  key: ObjectKey,
  notes: Readonly<Record<string, string>>,
  uid?: string,
): Draft {
  const { labels, annotations } = manifest.metadata
  const usage = usageOf(kind, manifest.spec)
  return {
    key,
    ...(uid !== undefined && { uid }),
    spec: manifest.spec,
    labels,
    annotations: { ...publicNotes(annotations), ...notes },
    ...(Object.keys(usage).length > 0 && { usage }),
  }
}

export function keyOf({ kind, metadata: { tenant, name } }: GantryObject | Manifest): ObjectKey {
  return { kind, ...(tenant !== undefined && { tenant }), name }
}

export function describe({ kind, tenant, name }: ObjectKey): string {
  return tenant === undefined ? `${kind} "${name}"` : `${kind} "${name}" of tenant "${tenant}"`
}
