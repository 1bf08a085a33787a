/** What services of this machine wrote, read from where the supervisor keeps it. */
import type { Call } from '@gantry/core'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { decided } from '../tended/decided.ts'
import { findService } from '../tended/find-service.ts'
import type { LiveReplica } from './live-replica.ts'
import type { Site } from './site.ts'

export async function* readLogs(
  site: Site,
  engineId: string,
  name: string,
  from: LogFrom,
  call: Call,
): AsyncIterable<EngineLog> {
  call.signal.throwIfAborted()
  const { live, service } = findService(site.replicas, engineId, name)
  if (!service.process && !from.follow) return
  if (!service.process && !(await begun(site, live, name, call))) return
  yield* site.parts.link.supervisor.output(service.id, from, call)
}

/** One that waits for others has written nothing yet. False: it never will, its replica is gone. */
async function begun(site: Site, live: LiveReplica, name: string, call: Call): Promise<boolean> {
  const { engineId, ref } = live.record
  const look = (): { readonly is: boolean } | undefined => {
    const now = site.replicas.get(engineId)
    if (!now) return { is: false }
    return now.services.get(name)?.process ? { is: true } : undefined
  }
  return await decided(site, ref, look, call)
}
