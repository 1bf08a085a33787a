/** The storage classes of the cluster, by asking. Who may not see them knows of none. */
import { type Call, isFault } from '@gantry/core'
import type { ObjectsApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'

export async function storageClasses(objects: ObjectsApi, call: Call): Promise<readonly KubeObject[]> {
  try {
    return (await objects.list({ resource: resources.storageClass }, {}, call)).items
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_forbidden') return []
    throw error
  }
}
