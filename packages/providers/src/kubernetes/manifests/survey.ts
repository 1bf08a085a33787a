/** What is there of a set now, by asking: one list for each kind and namespace, of what carries its labels. */
import { type Call, isFault } from '@gantry/core'
import { label } from '../../labels.ts'
import type { Ref } from '../../ref.ts'
import type { Collection, ObjectAt, ObjectsApi, Resource } from '../api/api.ts'
import { apiVersionOf } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { readyWhenThere } from './kinds.ts'
import { entryId, setKind, setLabel } from './record/record.ts'

export type Survey = ReadonlyMap<string, KubeObject>

/** With so many of a kind, one list of all is cheaper than asking for each. */
const listedFrom = 8

const kindId = ({ resource: { group, kind }, namespace }: Collection): string => `${group}/${kind}/${namespace ?? ''}`

/** The kinds and namespaces that these objects are in, each once. */
export function collectionsOf(places: Iterable<ObjectAt>): readonly Collection[] {
  const found = new Map<string, Collection>()
  for (const { resource, namespace } of places) {
    const collection: Collection = { resource, ...(namespace === undefined ? {} : { namespace }) }
    const id = kindId(collection)
    if (!found.has(id)) found.set(id, collection)
  }
  return [...found.values()]
}

export const setSelector = (installation: string, ref: Ref): string =>
  `${label.installation}=${installation},${label.uid}=${ref.uid},${label.slot}=${ref.slot},${setLabel}=${setKind}`

/** By id: all of these kinds that carries the labels of the set. Of kinds that are ready by being there, only metadata. */
export async function surveyOwn(
  objects: ObjectsApi,
  places: Iterable<ObjectAt>,
  labelSelector: string,
  call: Call,
): Promise<Survey> {
  const lists = await Promise.all(
    collectionsOf(places).map(async (of) => {
      const metadataOnly = isStill(of.resource)
      return [of.resource, await listed(objects, of, { labelSelector, metadataOnly }, call)] as const
    }),
  )
  return new Map(lists.flatMap(([resource, items]) => items.map((item) => [idOf(resource, item), item] as const)))
}

/** By id: whatever is there in these places, whoever's it is. */
export async function surveyAny(objects: ObjectsApi, places: readonly ObjectAt[], call: Call): Promise<Survey> {
  const groups = new Map<string, ObjectAt[]>()
  for (const place of places) {
    const id = kindId(place)
    groups.set(id, [...(groups.get(id) ?? []), place])
  }
  const found = await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group
      if (first && group.length >= listedFrom) {
        const { resource, namespace } = first
        const of: Collection = { resource, ...(namespace === undefined ? {} : { namespace }) }
        const items = await listed(objects, of, { metadataOnly: true }, call)
        const wanted = new Set(group.map(entryId))
        return items.map((item) => [idOf(resource, item), item] as const).filter(([id]) => wanted.has(id))
      }
      const each = await Promise.all(group.map((place) => objects.get(place, call)))
      return each.flatMap((item, at) => (item ? [[entryId(group[at] as ObjectAt), item] as const] : []))
    }),
  )
  return new Map(found.flat())
}

export function idOf(resource: Resource, { metadata: { name, namespace } }: KubeObject): string {
  return entryId({ resource, name, ...(namespace === undefined ? {} : { namespace }) })
}

const isStill = (resource: Resource): boolean => readyWhenThere(apiVersionOf(resource), resource.kind)

/** A kind that the cluster does not have (any more) has no objects. */
async function listed(
  objects: ObjectsApi,
  of: Collection,
  which: { readonly labelSelector?: string; readonly metadataOnly: boolean },
  call: Call,
): Promise<readonly KubeObject[]> {
  try {
    return (await objects.list(of, which, call)).items
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_object_not_found') return []
    throw error
  }
}
