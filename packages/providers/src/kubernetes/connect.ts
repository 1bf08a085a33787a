/** A plain connection to a port of what runs in the cluster, through its API. */
import { type Call, type Clock, Fault } from '@gantry/core'
import type { Connection } from '../connection.ts'
import type { KubernetesApi } from './api/api.ts'
import { resources } from './api/resources.ts'
import type { ServiceObject } from './observe/objects.ts'
import type { SetContainer } from './sources/source-keeper.ts'

type Ports = { readonly name?: string; readonly containerPort: number }
type PodWithPorts = { readonly spec?: { readonly containers?: readonly { readonly ports?: readonly Ports[] }[] } }

/** How long somebody who has said all may wait for a word. */
const quietMs = 60_000

/**
 * Through the API nobody can say that nothing more comes and go on listening, so what is behind it never learns that the other
 * side has gone, and would keep the connection for good. Whoever has said all and then hears nothing for a while has it closed.
 */
export function closedWhenQuiet(connection: Connection, clock: Clock): Connection {
  let heardAt = 0
  let cancel = (): void => undefined
  async function* incoming(): AsyncIterable<Uint8Array> {
    for await (const bytes of connection.incoming) {
      heardAt = clock.monotonic()
      yield bytes
    }
  }
  const look = (): void => {
    const leftMs = heardAt + quietMs - clock.monotonic()
    if (leftMs <= 0) connection.close()
    else cancel = clock.after(leftMs, look)
  }
  const over = (): void => cancel()
  connection.closed.then(over, over)
  return {
    incoming: incoming(),
    write: (bytes) => connection.write(bytes),
    async end() {
      await connection.end()
      heardAt = clock.monotonic()
      cancel()
      look()
    },
    closed: connection.closed,
    close: () => connection.close(),
  }
}

/** To an object of a set: the youngest pod behind it that is ready, or at least runs. */
export async function connectToSet(
  api: KubernetesApi,
  service: string,
  containers: readonly SetContainer[],
  port: number,
  call: Call,
): Promise<Connection> {
  const all = containers.filter((each) => each.running && each.role !== 'init')
  const running = all.find(({ serving }) => serving) ?? all[0]
  if (!running) throw new Fault('service_not_running', `Nothing behind ${service} runs now; look at its status`)
  const { namespace, pod } = running
  const [kind, name = ''] = service.split('/')
  const target = kind === 'service' ? await targetOf(api, { namespace, name }, pod, port, call) : port
  return await api.pods.portForward({ namespace, pod }, target, call)
}

/** A Service may stand at another number than what is behind it, or name a port of the pod. */
async function targetOf(
  api: KubernetesApi,
  at: { readonly namespace: string; readonly name: string },
  pod: string,
  port: number,
  call: Call,
): Promise<number> {
  const service = await api.objects.get<ServiceObject>({ resource: resources.service, ...at }, call)
  const target = service?.spec?.ports?.find((each) => each.port === port)?.targetPort ?? port
  if (typeof target === 'number') return target
  const found = await api.objects.get({ resource: resources.pod, namespace: at.namespace, name: pod }, call)
  const ports = (found as PodWithPorts | undefined)?.spec?.containers?.flatMap((each) => each.ports ?? []) ?? []
  return ports.find(({ name }) => name === target)?.containerPort ?? port
}
