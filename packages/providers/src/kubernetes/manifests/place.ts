/** Where each object of a set goes, with what the cluster says of its kind. Nothing is touched before all have a place. */
import { type Call, Fault, type Issue } from '@gantry/core'
import type { DiscoveryApi, ObjectAt, Resource } from '../api/api.ts'
import { confine, definedKinds, type Place } from './confine.ts'
import { textAt } from './fields.ts'
import { rankOfKind } from './kinds.ts'
import { entryId } from './record/record.ts'
import { pathOf, type SetObject } from './set-object.ts'

export type Placed = {
  readonly set: SetObject
  readonly at: ObjectAt
  readonly id: string
  readonly rank: number
  /** The id of the definition in this set that must be established first. */
  readonly after?: string
}

export async function placeSet(
  objects: readonly SetObject[],
  place: Place,
  discovery: DiscoveryApi,
  call: Call,
): Promise<readonly Placed[]> {
  const defined = definedKinds(objects)
  const kinds = await kindsOf(objects, defined, discovery, call)
  const missing = objects.flatMap((one): Issue[] => {
    if (kinds.has(`${one.apiVersion}/${one.kind}`)) return []
    const message = `is of a kind that this cluster does not know in ${one.apiVersion}; put its CustomResourceDefinition into the set, or install it first`
    return [{ path: pathOf(one), message, line: one.line }]
  })
  const outside = confine(objects, (apiVersion, kind) => kinds.get(`${apiVersion}/${kind}`)?.namespaced, place)
  const issues = [...missing, ...outside]
  if (issues.length > 0) {
    const list = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw new Fault('field_unsupported', `The manifests cannot be applied here: ${list}`, { issues })
  }
  return objects.map((set) => placed(set, kinds, defined, place.namespace))
}

function placed(
  set: SetObject,
  kinds: ReadonlyMap<string, Resource>,
  defined: ReadonlyMap<string, SetObject>,
  home: string,
): Placed {
  const key = `${set.apiVersion}/${set.kind}`
  const resource = kinds.get(key) as Resource
  const at = { resource, name: set.name, ...(resource.namespaced ? { namespace: set.namespace ?? home } : {}) }
  const definition = defined.get(key)
  const after = definition && entryId({ resource: kinds.get(kindOf(definition)) as Resource, name: definition.name })
  const rank = rankOfKind(set.apiVersion, set.kind)
  return { set, at, id: entryId(at), rank, ...(after === undefined ? {} : { after }) }
}

const kindOf = ({ apiVersion, kind }: SetObject): string => `${apiVersion}/${kind}`

/** A kind that the set itself defines is known from there: the cluster may not have it yet. */
async function kindsOf(
  objects: readonly SetObject[],
  defined: ReadonlyMap<string, SetObject>,
  discovery: DiscoveryApi,
  call: Call,
): Promise<ReadonlyMap<string, Resource>> {
  const wanted = new Map(objects.map((one) => [kindOf(one), one]))
  const found = await Promise.all(
    [...wanted].map(async ([key, { apiVersion, kind }]) => {
      const definition = defined.get(key)
      const resource = definition
        ? resourceOf(definition, apiVersion, kind)
        : await discovery.resource(apiVersion, kind, call)
      return resource ? ([[key, resource]] as const) : []
    }),
  )
  return new Map(found.flat())
}

function resourceOf({ object }: SetObject, apiVersion: string, kind: string): Resource {
  return {
    group: textAt(object, 'spec', 'group') ?? '',
    version: apiVersion.slice(apiVersion.indexOf('/') + 1),
    kind,
    plural: textAt(object, 'spec', 'names', 'plural') ?? '',
    namespaced: textAt(object, 'spec', 'scope') !== 'Cluster',
  }
}
