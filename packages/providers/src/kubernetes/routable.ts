/** Whether addresses inside the cluster can be dialled from here: found by dialling the one that every cluster has. */
import { type Call, type Clock, isFault, sleep } from '@gantry/core'
import type { KubernetesApi } from './api/api.ts'
import { resources } from './api/resources.ts'
import { accepts } from './dial.ts'
import type { ServiceObject } from './observe/objects.ts'

/** A machine may be busy, and a cluster just begun. */
const withinMs = 3000
const againMs = 5000

/** Looks again for as long as they cannot: then `found` is called, once. That they can is not taken back for one late answer. */
export async function untilRoutable(api: KubernetesApi, clock: Clock, found: () => void, life: Call): Promise<void> {
  while (!life.signal.aborted) {
    try {
      await sleep(clock, againMs, life)
      if (!(await isRoutable(api, clock, life))) continue
      return found()
    } catch (error) {
      // Out of reach is seen by other ways; then it is looked again.
      if (!isFault(error) && !life.signal.aborted) throw error
    }
  }
}

export async function isRoutable(api: KubernetesApi, clock: Clock, call: Call): Promise<boolean> {
  const at = { resource: resources.service, namespace: 'default', name: 'kubernetes' }
  const found = await api.objects.get<ServiceObject>(at, call).catch((error: unknown) => {
    // Who may not even look at it goes through the server.
    if (isFault(error) && error.reason === 'engine_forbidden') return undefined
    throw error
  })
  const [port] = found?.spec?.ports ?? []
  const host = found?.spec?.clusterIP
  if (!host || !port) return false
  return await accepts({ host, port: port.port }, withinMs, clock, call)
}
