/** How a namespace is, by looking. Nothing can be made in one that leaves, and what was in it goes with it. */
import { type Call, isFault } from '@gantry/core'
import type { KubernetesApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'

/** `unknown`: who asks may not see it. */
export type NamespaceState = 'there' | 'leaving' | 'gone' | 'unknown'

export async function namespaceState(api: KubernetesApi, name: string, call: Call): Promise<NamespaceState> {
  try {
    const found = await api.objects.get({ resource: resources.namespace, name }, call)
    if (!found) return 'gone'
    return found.metadata.deletionTimestamp === undefined ? 'there' : 'leaving'
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_forbidden') return 'unknown'
    throw error
  }
}
