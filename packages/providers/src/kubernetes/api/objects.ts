/** Objects of any kind, over the wire. */
import type { Call, Clock } from '@gantry/core'
import type { Collection, Listed, ObjectAt, ObjectsApi, Selection } from './api.ts'
import { deleteObject } from './delete-object.ts'
import { listAll, usualPageSize } from './list-all.ts'
import { collectionPath, objectPath } from './paths.ts'
import { ifThere, jsonOf } from './questions.ts'
import type { KubeObject } from './types/meta.ts'
import { watchCollection } from './watch-collection.ts'
import { query, type Wire } from './wire.ts'

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/** JSON is YAML too; the server has no other name for it. */
const applyType = 'application/apply-patch+yaml'

export type ObjectsOptions = {
  readonly clock: Clock
  readonly as: string
  readonly silenceMs: number
  readonly pageSize?: number
}

export function objectsApi(wire: Wire, options: ObjectsOptions): ObjectsApi {
  return {
    get: async (at, call) => ifThere(jsonOf(wire, { method: 'GET', path: objectPath(at) }, call)),
    list: <T extends KubeObject>(of: Collection, which: Selection, call: Call): Promise<Listed<T>> =>
      listAll<T>(wire, of, which, options.pageSize ?? usualPageSize, call),
    watch: (of, from, call) => watchCollection(wire, of, from, options, call),
    apply: async (at, object, { force, ...write }, call) => {
      const path = objectPath(at) + query({ ...writeQuery(write), force: force || undefined })
      // The same once more changes nothing more.
      return jsonOf(wire, { method: 'PATCH', path, json: object, contentType: applyType, harmless: true }, call)
    },
    create: async (of, json, write, call) =>
      jsonOf(wire, { method: 'POST', path: collectionPath(of) + query(writeQuery(write)), json }, call),
    replace: async (at, json, write, call) =>
      jsonOf(wire, { method: 'PUT', path: objectPath(at) + query(writeQuery(write)), json }, call),
    patch: async (at, { type, body }, { subresource, ...write }, call) => {
      const path = objectPath(at, subresource) + query(writeQuery(write))
      const request = { method: 'PATCH', path, json: body, contentType: patchTypes[type] } as const
      return ifThere(jsonOf(wire, { ...request, harmless: type === 'merge' }, call))
    },
    delete: (at: ObjectAt, how, call) => deleteObject(wire, at, how, call),
  }
}

/** A field that the server does not know is an error, and not lost in silence. */
function writeQuery({ fieldManager, dryRun }: { readonly fieldManager: string; readonly dryRun?: boolean }) {
  return { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined }
}
