/** What a service of a replica wrote: run after run of its container, for as long as its pod is there. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { decided } from '../tended/decided.ts'
import type { KubernetesApi } from './api/api.ts'
import type { ClusterCache } from './cluster/cluster-cache.ts'
import { containerLogs, type LogParts, type Runs } from './logs/container-logs.ts'
import { podOfEngineId } from './observe/observed-of.ts'
import type { ContainerSeen, PodSeen } from './observe/seen.ts'

export const mixedLimit =
  'what services write to their two streams cannot be told apart on this cluster: all of it is shown as stdout (the feature gate PodLogsQuerySplitStreams is off, or it is older than that)'

/** The first that knows of it. Others answer as if it had not been asked for: every line would be read as both. */
const firstMinor = 32

/** Whether streams can be asked for one by one: servers look at the question before they look for the pod. */
export async function splitsStreams(api: KubernetesApi, minor: number, call: Call): Promise<boolean> {
  if (minor < firstMinor) return false
  const at = { namespace: 'default', pod: 'gantry-asks-what-is-possible', container: 'none' }
  try {
    await api.pods.logs(at, { follow: false, timestamps: false, stream: 'Stdout' }, call)
    return true
  } catch (error) {
    if (isFault(error, 'not_found')) return true
    if (isFault(error) && ['engine_rejected', 'engine_forbidden'].includes(error.reason)) return false
    throw error
  }
}

/** Of a service of ours: its pod is heard of. */
export async function* serviceLogs(
  parts: LogParts & { readonly cache: ClusterCache },
  engineId: string,
  service: string,
  from: LogFrom,
  call: Call,
): AsyncIterable<EngineLog> {
  call.signal.throwIfAborted()
  const { cache } = parts
  await cache.reachable(call)
  const pod = podOf(cache, engineId)
  if (!pod) throw new Fault('replica_not_found', `There is no replica ${engineId}; it is gone, or never was`)
  if (!pod.services.some(({ name }) => name === service)) {
    throw new Fault('service_not_found', `There is no service ${service} in replica ${engineId}`)
  }
  const at = { namespace: pod.namespace, pod: pod.name, container: service, uid: pod.uid }
  const runs: Runs = {
    first: async () => pod.containers[service],
    next: (known, within) => nextRun(cache, pod, service, known, within),
  }
  yield* containerLogs(parts, at, runs, from, call)
}

const podOf = (cache: ClusterCache, engineId: string): PodSeen | undefined =>
  cache.kinds.pods.items.get(podOfEngineId(engineId)?.uid ?? '')

/** Another run of it than the one that is known; `undefined`: there will be none. */
async function nextRun(
  cache: ClusterCache,
  { uid, ref }: PodSeen,
  service: string,
  known: string | undefined,
  call: Call,
): Promise<ContainerSeen | undefined> {
  const look = (): { readonly is: ContainerSeen | undefined } | undefined => {
    const pod = cache.kinds.pods.items.get(uid)
    if (!pod) return { is: undefined }
    const container = pod.containers[service]
    if (container?.id !== undefined && container.id !== known) return { is: container }
    // Nothing is started any more in a pod that leaves, and an init that is through is not run again.
    const isOver = container?.id === known && container?.state === 'ended'
    const isInit = pod.services.some(({ name, role }) => name === service && role === 'init')
    return isOver && (pod.deleting || (isInit && container.end?.code === 0)) ? { is: undefined } : undefined
  }
  return await decided(cache, ref, look, call)
}
