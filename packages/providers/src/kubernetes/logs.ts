/** What a service of a replica wrote: run after run of its container, for as long as its pod is there. */
import { type Call, type Clock, Fault, isFault, sleep } from '@gantry/core'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { lastOf } from '../log-text.ts'
import { decided } from '../tended/decided.ts'
import type { ContainerAt, KubernetesApi } from './api/api.ts'
import { resources } from './api/resources.ts'
import type { ClusterCache } from './cluster/cluster-cache.ts'
import { LogPass, type LogSource } from './logs/container-log.ts'
import { beginning, type LogPlace, parseCursor, placeAt } from './logs/place.ts'
import type { Pod } from './observe/objects.ts'
import { podOfEngineId } from './observe/observed-of.ts'
import type { ContainerSeen, PodSeen } from './observe/seen.ts'
import { containerSeen } from './observe/trim.ts'

export type LogParts = {
  readonly api: KubernetesApi
  readonly cache: ClusterCache
  readonly clock: Clock
  /** The server can tell streams apart. */
  readonly split: boolean
}

/** Between two passes of which the first ended though its container runs. */
const pauseMs = 200
/** More than are asked for: where the last lines begin, several may have the same time. */
const slack = 20

export const mixedLimit =
  'what services write to their two streams cannot be told apart on this cluster: all of it is shown as stdout (the feature gate PodLogsQuerySplitStreams is off)'

/** Whether streams can be asked for one by one: servers look at the question before they look for the pod. */
export async function splitsStreams(api: KubernetesApi, call: Call): Promise<boolean> {
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

export async function* serviceLogs(
  parts: LogParts,
  engineId: string,
  service: string,
  from: LogFrom,
  call: Call,
): AsyncIterable<EngineLog> {
  call.signal.throwIfAborted()
  const { cache, clock } = parts
  await cache.refresh(call)
  const pod = podOf(cache, engineId)
  if (!pod) throw new Fault('replica_not_found', `There is no replica ${engineId}; it is gone, or never was`)
  if (!pod.services.some(({ name }) => name === service)) {
    throw new Fault('service_not_found', `There is no service ${service} in replica ${engineId}`)
  }
  const at = { namespace: pod.namespace, pod: pod.name, container: service }
  const source = sourceOf(parts, at, pod.uid)
  let place = from.cursor === undefined ? (from.since ? placeAt(from.since) : beginning) : parseCursor(from.cursor)
  let container = pod.containers[service]
  if (from.cursor === undefined && from.tail !== undefined && hasBegun(container)) {
    const last = await lastLines(source, place, from.tail, hasEarlier(container), call)
    yield* last.logs
    place = last.place
    if (!from.follow) return
  }
  for (let isFirst = true; ; isFirst = false) {
    if (!hasBegun(container)) {
      if (!from.follow) return
      container = await nextRun(cache, pod, service, undefined, call)
      if (!container) return
    }
    const pass = new LogPass(source, place)
    try {
      yield* pass.read({ follow: from.follow, previous: hasEarlier(container) }, call)
    } catch (error) {
      // Removed while nobody looked: there is no more to come. Who finds nothing at first is told so.
      if (isFirst || !isFault(error, 'not_found')) throw error
      return
    }
    if (!from.follow) return
    place = pass.place
    const now = await lookAt(parts.api, at, pod.uid, call)
    if (!now) return
    if (now.id === container?.id && now.state === 'running') {
      // Its end was the server's, and not the container's.
      await sleep(clock, pauseMs, call)
    } else {
      container = await nextRun(cache, pod, service, container?.id, call)
      if (!container) return
    }
  }
}

const podOf = (cache: ClusterCache, engineId: string): PodSeen | undefined =>
  cache.kinds.pods.items.get(podOfEngineId(engineId)?.uid ?? '')

const hasBegun = (container: ContainerSeen | undefined): boolean => container?.id !== undefined

const hasEarlier = (container: ContainerSeen | undefined): boolean => (container?.restarts ?? 0) > 0

function sourceOf({ api, split }: LogParts, at: ContainerAt, uid: string): LogSource {
  const isOver = async (call: Call): Promise<boolean> => (await lookAt(api, at, uid, call))?.state !== 'running'
  return { pods: api.pods, at, split, isOver }
}

/** Now, and not as it was last heard of; `undefined`: it is gone. */
async function lookAt(
  api: KubernetesApi,
  { namespace, pod: name, container }: ContainerAt,
  uid: string,
  call: Call,
): Promise<ContainerSeen | undefined> {
  const pod = await api.objects.get<Pod>({ resource: resources.pod, namespace, name }, call)
  if (pod?.metadata.uid !== uid) return undefined
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  const found = all.find((each) => each.name === container)
  return found && containerSeen(found)
}

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

/** The last so many lines of what is there, and the place behind them. */
async function lastLines(
  source: LogSource,
  from: LogPlace,
  count: number,
  previous: boolean,
  call: Call,
): Promise<{ readonly logs: readonly EngineLog[]; readonly place: LogPlace }> {
  const probe = new LogPass(source, from)
  const found = await collected(probe.read({ follow: false, previous, tail: count + slack }, call))
  if (!source.split) return { logs: lastOf(found, count), place: probe.place }
  const [first] = lastOf(found, count + slack)
  // Of two streams no last lines can be asked for, but all since a time.
  const floor =
    first && (!from.stdout.time || placeAt(first.at).stdout.time > from.stdout.time) ? placeAt(first.at) : from
  const whole = new LogPass(source, floor)
  const logs = await collected(whole.read({ follow: false, previous }, call))
  return { logs: lastOf(logs, count), place: whole.place }
}

async function collected(logs: AsyncIterable<EngineLog>): Promise<EngineLog[]> {
  const all: EngineLog[] = []
  for await (const log of logs) all.push(log)
  return all
}
