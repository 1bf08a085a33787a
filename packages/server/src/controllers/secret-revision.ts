/** When whoever refers to a Secret has to look again. */
import type { GantryObject, ObjectOf } from '@gantry/core'

/** New values are a new version, and nothing else of a secret matters to who refers to it. */
export function secretRevision(object: GantryObject): string {
  const { metadata, status } = object as ObjectOf<'Secret'>
  return `${metadata.uid} ${status.version ?? ''}`
}
