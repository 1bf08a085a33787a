/** What a controller has to know about an object without keeping it. */
import type { GantryObject, ObjectKey } from '@gantry/core'

export function keyOf({ kind, metadata: { tenant, name } }: GantryObject): ObjectKey {
  return tenant === undefined ? { kind, name } : { kind, tenant, name }
}

/** One text per key, usable as a queue key. Neither kinds nor names contain a slash. */
export function keyText({ kind, tenant = '', name }: ObjectKey): string {
  return `${kind}/${tenant}/${name}`
}

/** Differs when the object became another one to whoever makes it true; a write of status does not count. */
export function revisionOf({ metadata }: GantryObject): string {
  const { uid, generation, deletionRequestedAt = '', labels, annotations } = metadata
  return `${uid} ${generation} ${deletionRequestedAt} ${pairs(labels)} ${pairs(annotations)}`
}

/** As `revisionOf`, and differs also when the object became ready or stopped being so. */
export function readinessOf(object: GantryObject): string {
  const ready = object.status.conditions?.find((condition) => condition.type === 'Ready')
  return `${revisionOf(object)} ${ready?.status ?? ''}`
}

/** Differs on every write. */
export function versionOf({ metadata }: GantryObject): number {
  return metadata.resourceVersion
}

function pairs(record: Readonly<Record<string, string>>): string {
  const entries = Object.entries(record)
  return entries.length === 0 ? '' : JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
