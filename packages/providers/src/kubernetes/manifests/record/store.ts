/** Records of sets on the cluster: each is written over exactly the version that was read, so that two servers cannot cross. */
import { type Call, derivedName, Fault } from '@gantry/core'
import { label } from '../../../labels.ts'
import { type Ref, refName } from '../../../ref.ts'
import type { ObjectAt, ObjectsApi } from '../../api/api.ts'
import { resources } from '../../api/resources.ts'
import { contentOf, type RecordObject, recordIn } from './content.ts'
import { fieldManager, type SetRecord } from './record.ts'

/** A record as it was read or written, and where. */
export type Stored = { readonly record: SetRecord; readonly version: string; readonly uid: string }

export interface RecordStore {
  /** Of the set that has this name now, whoever's uid it carries. Throws `foreign_object` where it is not ours. */
  read(ref: Ref, namespace: string, call: Call): Promise<Stored | undefined>
  write(record: SetRecord, before: Stored | undefined, call: Call): Promise<Stored>
  remove(stored: Stored, call: Call): Promise<void>
}

/** Not from the uid: the next workload of this name must find that its objects are still there. */
export const recordName = (installation: string, { tenant, workload, slot }: Ref): string =>
  derivedName('gantry-set', workload, slot, tenant, installation)

export function recordStore(objects: ObjectsApi, installation: string): RecordStore {
  const place = (ref: Ref, namespace: string): ObjectAt => ({
    resource: resources.configMap,
    namespace,
    name: recordName(installation, ref),
  })

  return {
    async read(ref, namespace, call) {
      const at = place(ref, namespace)
      const object = await objects.get<RecordObject>(at, call)
      if (!object) return undefined
      const record = recordIn(object, installation)
      if (record) return stored(object, record)
      const whose = object.metadata.labels?.[label.installation]
      const message = `ConfigMap ${namespace}/${at.name} stands where the record of ${refName(ref)} belongs, and is ${whose ? `of the installation ${whose}` : 'not ours'}; remove or rename it`
      throw new Fault('foreign_object', message)
    },

    async write(record, before, call) {
      const { ref, namespace } = record
      const at = place(ref, namespace)
      const object = contentOf(at.name, record, installation)
      if (!before) {
        const made = await objects.create<RecordObject>(
          { resource: at.resource, namespace },
          object,
          { fieldManager },
          call,
        )
        return stored(made, record)
      }
      const { version: resourceVersion, uid } = before
      const over = { ...object, metadata: { ...object.metadata, resourceVersion, uid } }
      return stored(await objects.replace<RecordObject>(at, over, { fieldManager }, call), record)
    },

    async remove({ record, uid }, call) {
      await objects.delete(place(record.ref, record.namespace), { uid }, call)
    },
  }
}

function stored({ metadata }: RecordObject, record: SetRecord): Stored {
  return { record, version: metadata.resourceVersion ?? '', uid: metadata.uid ?? '' }
}
