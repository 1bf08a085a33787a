/** Whether addresses inside the cluster can be dialled from here: found by dialling the one that every cluster has. */
import { connect } from 'node:net'
import { type Call, type Clock, isFault, onAbort, withDeadline } from '@gantry/core'
import type { KubernetesApi } from './api/api.ts'
import { resources } from './api/resources.ts'
import type { ServiceObject } from './observe/objects.ts'

const withinMs = 1000

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
  const deadline = withDeadline(clock, withinMs, 'Dialling an address of the cluster', call)
  try {
    return await answers(host, port.port, deadline)
  } finally {
    deadline.clear()
    call.signal.throwIfAborted()
  }
}

function answers(host: string, port: number, { signal }: Call): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const over = (is: boolean): void => {
      forget()
      socket.destroy()
      resolve(is)
    }
    const forget = onAbort(signal, () => over(false))
    socket.once('connect', () => over(true))
    socket.once('error', () => over(false))
  })
}
