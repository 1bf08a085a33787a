/** What a service of a replica wrote: that of its container, and of the next one where somebody took that away. */
import type { Call } from '@gantry/core'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { decided } from '../tended/decided.ts'
import { findService, type ServicePlace } from '../tended/find-service.ts'
import type { LiveReplica } from './site/live-replica.ts'
import type { ContainerSeen } from './site/seen.ts'
import type { ServiceMemory } from './site/service-memory.ts'
import type { Site } from './site/site.ts'
import { containerLogs } from './streams/logs.ts'

export async function* serviceLogs(
  site: Site,
  engineId: string,
  name: string,
  from: LogFrom,
  call: Call,
): AsyncIterable<EngineLog> {
  call.signal.throwIfAborted()
  const place = findService(site.replicas, engineId, name)
  let container = place.service.container
  if (!from.follow && !container && site.lost) throw site.lost
  // Of one that was never made there is nothing to read, which who follows waits for.
  if (!container && from.follow) container = await nextContainer(site, place, undefined, call)
  for (let next = from; container; next = { follow: true }) {
    yield* containerLogs(site.parts.api, container.id, { tty: container.tty }, next, call)
    if (!from.follow) return
    container = await nextContainer(site, place, container.id, call)
  }
}

/** Another container of it than the one that is known; `undefined`: there will be none, the replica is gone. */
async function nextContainer(
  site: Site,
  { live, service }: ServicePlace<LiveReplica, ServiceMemory>,
  known: string | undefined,
  call: Call,
): Promise<ContainerSeen | undefined> {
  const { engineId, ref } = live.record
  const look = (): { readonly is: ContainerSeen | undefined } | undefined => {
    if (site.replicas.get(engineId) !== live) return { is: undefined }
    const { container } = service
    return container && container.id !== known ? { is: container } : undefined
  }
  return await decided(site, ref, look, call)
}
