/** What a service of a replica wrote: that of its container, and of the next one where somebody took that away. */
import { type Call, Fault, orAbort } from '@gantry/core'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { refKey } from '../ref.ts'
import type { LiveReplica } from './site/live-replica.ts'
import type { ContainerSeen } from './site/seen.ts'
import type { ServiceMemory } from './site/service-memory.ts'
import type { Site } from './site/site.ts'
import { containerLogs } from './streams/logs.ts'

export type ServicePlace = { readonly live: LiveReplica; readonly service: ServiceMemory }

export async function* serviceLogs(
  site: Site,
  engineId: string,
  name: string,
  from: LogFrom,
  call: Call,
): AsyncIterable<EngineLog> {
  call.signal.throwIfAborted()
  const place = findService(site, engineId, name)
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

export function findService(site: Site, engineId: string, name: string): ServicePlace {
  const live = site.replicas.get(engineId)
  if (!live) throw new Fault('replica_not_found', `There is no replica ${engineId} on this Docker Engine`)
  const service = live.services.get(name)
  if (!service) throw new Fault('service_not_found', `Replica ${engineId} has no service ${name}`)
  return { live, service }
}

/** Another container of it than the one that is known; `undefined`: there will be none, the replica is gone. */
async function nextContainer(
  site: Site,
  { live, service }: ServicePlace,
  known: string | undefined,
  call: Call,
): Promise<ContainerSeen | undefined> {
  const { engineId, ref } = live.record
  let leave = (): void => undefined
  const decided = new Promise<ContainerSeen | undefined>((resolve, reject) => {
    const look = (): void => {
      const { container } = service
      if (site.replicas.get(engineId) !== live) resolve(undefined)
      else if (container && container.id !== known) resolve(container)
    }
    leave = site.telling.listen((event) => {
      if (event.type === 'lost') reject(event.fault)
      else if (event.type === 'found' || refKey(event.ref) === refKey(ref)) look()
    })
    look()
  })
  try {
    return await orAbort(decided, call)
  } finally {
    leave()
  }
}
