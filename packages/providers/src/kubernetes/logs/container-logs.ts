/** What a container wrote, run after run: one pass over its log after another, each from where the last one ended. */
import { type Call, type Clock, isFault, sleep } from '@gantry/core'
import type { EngineLog, LogFrom } from '../../log-line.ts'
import { lastOf } from '../../log-text.ts'
import type { ContainerAt, KubernetesApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { Pod } from '../observe/objects.ts'
import type { ContainerSeen } from '../observe/seen.ts'
import { containerSeen } from '../observe/trim.ts'
import { LogPass, type LogSource } from './log-pass.ts'
import { beginning, type LogPlace, parseCursor, placeAt } from './place.ts'

export type LogParts = {
  readonly api: KubernetesApi
  readonly clock: Clock
  /** The server can tell streams apart. */
  readonly split: boolean
}

/** `uid`: of the pod. Another one of that name is another. */
export type LoggedContainer = ContainerAt & { readonly uid: string }

/** How it is told that a container is run again. */
export interface Runs {
  /** As it is known now; `undefined`: there is none yet. */
  first(call: Call): Promise<ContainerSeen | undefined>
  /** Another run than the one that is known, when it has begun; `undefined`: there will be none. */
  next(known: string | undefined, call: Call): Promise<ContainerSeen | undefined>
}

/** Between two passes of which the first ended though its container runs. */
const pauseMs = 200
/** More than are asked for: where the last lines begin, several may have the same time. */
const slack = 20

export async function* containerLogs(
  parts: LogParts,
  at: LoggedContainer,
  runs: Runs,
  from: LogFrom,
  call: Call,
): AsyncGenerator<EngineLog> {
  const source = sourceOf(parts, at)
  let place = from.cursor === undefined ? (from.since ? placeAt(from.since) : beginning) : parseCursor(from.cursor)
  let container = await runs.first(call)
  if (from.cursor === undefined && from.tail !== undefined && hasBegun(container)) {
    const last = await lastLines(source, place, from.tail, hasEarlier(container), call)
    yield* last.logs
    place = last.place
    if (!from.follow) return
  }
  for (let isFirst = true; ; isFirst = false) {
    if (!hasBegun(container)) {
      if (!from.follow) return
      container = await runs.next(undefined, call)
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
    const now = await lookAt(parts.api, at, call)
    if (!now) return
    if (now.id === container?.id && now.state === 'running') {
      // Its end was the server's, and not the container's.
      await sleep(parts.clock, pauseMs, call)
    } else {
      container = await runs.next(container?.id, call)
      if (!container) return
    }
  }
}

/** Now, and not as it was last heard of; `undefined`: it is gone. */
export async function lookAt(
  api: KubernetesApi,
  { namespace, pod: name, container, uid }: LoggedContainer,
  call: Call,
): Promise<ContainerSeen | undefined> {
  const pod = await api.objects.get<Pod>({ resource: resources.pod, namespace, name }, call)
  if (pod?.metadata.uid !== uid) return undefined
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  const found = all.find((each) => each.name === container)
  return found && containerSeen(found)
}

const hasBegun = (container: ContainerSeen | undefined): boolean => container?.id !== undefined

const hasEarlier = (container: ContainerSeen | undefined): boolean => (container?.restarts ?? 0) > 0

function sourceOf({ api, split }: LogParts, at: LoggedContainer): LogSource {
  const isOver = async (call: Call): Promise<boolean> => (await lookAt(api, at, call))?.state !== 'running'
  return { pods: api.pods, at, split, isOver }
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
