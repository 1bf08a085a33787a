/** Waits for a container whose log has ended. */
import { type Call, Fault } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'

/**
 * When a run of it began that is not the one that is known already, which may have ended meanwhile; `undefined` when the
 * container is gone. Waits for as long as the caller does.
 */
export async function nextRun(
  api: DockerApi,
  id: string,
  known: string | undefined,
  call: Call,
): Promise<string | undefined> {
  // Listens first, then looks: what happens in between is not missed.
  const filters = { type: ['container'], container: [id], event: ['start', 'destroy'] }
  const events = (await api.system.events({ filters }, call))[Symbol.asyncIterator]()
  try {
    for (;;) {
      const container = await api.containers.inspect(id, call)
      if (!container) return undefined
      if (container.State.StartedAt !== known) return container.State.StartedAt
      const { done } = await events.next()
      if (done) throw new Fault('engine_unreachable', 'Docker has ended its events; is it stopping?')
    }
  } finally {
    await events.return?.()
  }
}
