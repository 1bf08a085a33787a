/** What services of this machine wrote, read from where the supervisor keeps it. */
import { type Call, Fault, orAbort } from '@gantry/core'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { refKey } from '../ref.ts'
import type { LiveReplica } from './live-replica.ts'
import type { ServiceMemory } from './service-memory.ts'
import type { Site } from './site.ts'

export async function* readLogs(
  site: Site,
  engineId: string,
  name: string,
  from: LogFrom,
  call: Call,
): AsyncIterable<EngineLog> {
  call.signal.throwIfAborted()
  const { live, service } = findService(site, engineId, name)
  if (!service.process && !from.follow) return
  if (!service.process && !(await begun(site, live, service, call))) return
  yield* site.parts.link.supervisor.output(service.id, from, call)
}

export function findService(
  site: Site,
  engineId: string,
  name: string,
): { readonly live: LiveReplica; readonly service: ServiceMemory } {
  const live = site.replicas.get(engineId)
  if (!live) throw new Fault('replica_not_found', `There is no replica ${engineId}; it is gone, or never was`)
  const service = live.services.get(name)
  if (!service) throw new Fault('service_not_found', `There is no service ${name} in ${engineId}`)
  return { live, service }
}

/** One that waits for others has written nothing yet. False: it never will, its replica is gone. */
async function begun(site: Site, live: LiveReplica, service: ServiceMemory, call: Call): Promise<boolean> {
  const { engineId, ref } = live.record
  let leave = (): void => undefined
  const decided = new Promise<boolean>((resolve, reject) => {
    const look = (): void => {
      if (site.replicas.get(engineId)?.services.get(service.record.name)?.process) resolve(true)
      else if (!site.replicas.has(engineId)) resolve(false)
    }
    leave = site.listen((event) => {
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
