/** Pure: whether a manager of fields is on record for a place in an object. */
import { isKeyedList, type Place } from '../../drift.ts'
import { at, type Fields, isFields } from '../../manifests/fields.ts'

/** Maps that managers share key by key. */
const shared: ReadonlySet<string> = new Set(['labels', 'annotations', 'data', 'binaryData', 'limits', 'requests'])

/**
 * `fields`: as a server keeps them (`fieldsV1`): `f:` is a field, `k:` the entry of a list with that key. `{}` is all below it where
 * that can only be had as a whole; of what is shared it is the bare map or list, which its maker keeps (if by an update, as Helm 3
 * does) when others have taken all that was in it.
 */
export function ownsPlace(fields: object | undefined, place: Place): boolean {
  let here: unknown = fields
  for (const [depth, part] of place.entries()) {
    if (!isFields(here)) return false
    const below = Object.entries(here)
    if (below.length === 0) return depth > 0 && !isShared(place[depth - 1] ?? '', place[depth - 2] ?? '')
    here = at(here, `f:${part}`) ?? below.find(([key]) => isEntry(key, part))?.[1]
    if (here === undefined) return false
  }
  return true
}

/** Entries of such a list are shared field by field. */
const isShared = (name: string, of: string): boolean => shared.has(name) || isKeyedList(name) || isKeyedList(of)

/** `k:{"containerPort":8080,"protocol":"TCP"}` is what is called `8080/TCP` here. */
function isEntry(key: string, part: string): boolean {
  if (!key.startsWith('k:')) return false
  const parts = JSON.parse(key.slice(2)) as Fields
  return Object.values(parts).map(String).join('/') === part
}
