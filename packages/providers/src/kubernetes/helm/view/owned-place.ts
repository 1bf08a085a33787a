/** Pure: whether a manager of fields is on record for a place in an object. */
import type { Place } from '../../drift.ts'
import { at, type Fields, isFields } from '../../manifests/fields.ts'

/** `fields`: as a server keeps them (`fieldsV1`): `f:` is a field, `k:` the entry of a list with that key, `{}` all below it. */
export function ownsPlace(fields: object | undefined, place: Place): boolean {
  let here: unknown = fields
  for (const part of place) {
    if (!isFields(here)) return false
    const below = Object.entries(here)
    // A list or a map that can only be had as a whole.
    if (below.length === 0) return here !== fields
    here = at(here, `f:${part}`) ?? below.find(([key]) => isEntry(key, part))?.[1]
    if (here === undefined) return false
  }
  return true
}

/** `k:{"containerPort":8080,"protocol":"TCP"}` is what is called `8080/TCP` here. */
function isEntry(key: string, part: string): boolean {
  if (!key.startsWith('k:')) return false
  const parts = JSON.parse(key.slice(2)) as Fields
  return Object.values(parts).map(String).join('/') === part
}
