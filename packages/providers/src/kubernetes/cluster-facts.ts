/** What is worth knowing of a cluster before anything is put on it, by name. */
import { type Call, type Clock, isFault, withDeadline } from '@gantry/core'
import type { KubernetesApi } from './api/api.ts'
import { resources } from './api/resources.ts'
import type { ClusterCache } from './cluster/cluster-cache.ts'

const metricsMs = 1000

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

export async function clusterFacts(
  api: KubernetesApi,
  cache: ClusterCache,
  call: Call,
): Promise<Readonly<Record<string, string>>> {
  const nodes = cache.nodes()
  const [metrics, storage] = await Promise.all([hasMetrics(api, cache.clock, call), storageClass(api, call)])
  return {
    server: api.server,
    ...(cache.kinds.nodes.forbidden
      ? {}
      : { nodes: `${nodes.filter(({ ready }) => ready).length} ready of ${nodes.length}` }),
    addresses: cache.via,
    metrics: metrics ? 'yes' : 'no',
    ...(storage === undefined ? {} : { storageClass: storage }),
  }
}

/** A server beside the cluster's own: whether that one is away, or takes its time, says nothing of the cluster. */
async function hasMetrics(api: KubernetesApi, clock: Clock, call: Call): Promise<boolean> {
  const within = withDeadline(clock, metricsMs, 'Asking for metrics', call)
  try {
    return (await ifAllowed(api.raw<object>('/apis/metrics.k8s.io/v1beta1', within))) !== undefined
  } catch (error) {
    call.signal.throwIfAborted()
    if (isFault(error, 'unavailable') || isFault(error, 'deadline')) return false
    throw error
  } finally {
    within.clear()
  }
}

/** The one that volumes get which name none; `undefined`: who asks may not see. */
async function storageClass(api: KubernetesApi, call: Call): Promise<string | undefined> {
  const found = await ifAllowed(api.objects.list({ resource: resources.storageClass }, { metadataOnly: true }, call))
  if (!found) return undefined
  return found.items.find(({ metadata }) => metadata.annotations?.[defaultClass] === 'true')?.metadata.name ?? 'none'
}

/** Only a part of what is asked for: where it is refused, or its own server is away, the rest is said without it. */
async function ifAllowed<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isFault(error) && ['engine_forbidden', 'engine_refused'].includes(error.reason)) return undefined
    throw error
  }
}
