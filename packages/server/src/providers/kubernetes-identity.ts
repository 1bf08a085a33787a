/** Which cluster this is, wherever it is spoken to. */
import { type Call, isFault } from '@gantry/core'
import type { KubernetesApi } from '@gantry/providers/kubernetes'

const namespaces = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false } as const

/** By the uid of a namespace that every cluster has, once. Who may not look at it is told apart by the address. */
export async function clusterIdentity({ objects, server }: KubernetesApi, call: Call): Promise<string> {
  try {
    const found = await objects.get({ resource: namespaces, name: 'kube-system' }, call)
    return found?.metadata?.uid ?? server
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_forbidden') return server
    throw error
  }
}
