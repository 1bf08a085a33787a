/** One TCP connection to a port of a replica, inside a WebSocket. */
import { connect, type Socket } from 'node:net'
import { endpoints, type ForwardStart, forwardClientFrame, frameStreams } from '@gantry/api'
import { type Call, type Clock, Fault, type ObjectOf, onAbort, orAbort, withDeadline } from '@gantry/core'
import type { Endpoint } from '@gantry/providers'
import { implement, type Routes } from '../app/implement.ts'
import { pump } from './pump.ts'
import { readFrame, type SessionSocket } from './session-socket.ts'
import { chooseTarget, findWorkload, placesOf, type Target, type TargetDeps } from './target.ts'

const connectMs = 10_000

export function portForwardRoute(deps: TargetDeps & { readonly clock: Clock }): Routes['streams']['portForward'] {
  return implement(endpoints.streams.portForward, async ({ params, access, recording, signal }) => {
    const workload = await findWorkload(deps.store, access, params, { signal })
    const places = await placesOf(deps.store, access, params, { signal })
    const session = async (socket: SessionSocket): Promise<void> => {
      const start = await socket.first(forwardClientFrame)
      if (start.type !== 'start') throw new Fault('schema', 'The first frame must say which port: type start')
      const target = chooseTarget(deps.hub, places, start, workload.status.stable)
      const { service, slot, replica } = target
      const { dial, port } = endpointOf(target, start, workload)
      const detail = { port, service, slot, replica: replica.index }
      const entry = recording.draft({ target: { kind: 'Workload', ...params }, detail })
      await deps.store.write(access, [], { audit: entry }, socket)
      const connection = await dialled(dial, deps.clock, socket)
      try {
        await socket.say({ type: 'started', ...detail })
        await converse(socket, connection)
      } finally {
        connection.destroy()
      }
    }
    return { session }
  })
}

/** A number is the one in the spec: what others name, wherever it is on this engine. */
function endpointOf({ replica, service }: Target, { port }: ForwardStart, { spec }: ObjectOf<'Workload'>): Endpoint {
  const ports = spec.services.find(({ name }) => name === service)?.ports ?? []
  const name = typeof port === 'string' ? port : ports.find((one) => one.port === port)?.name
  const found = replica.endpoints.find((one) => one.service === service && one.port === name)
  if (!found) {
    const known = replica.endpoints.filter((one) => one.service === service).map((one) => one.port)
    const there = known.length > 0 ? `there are ${known.join(', ')}` : 'it has none'
    throw new Fault('bad_request', `${service} of replica ${replica.index} has no port ${port}; ${there}`)
  }
  if (found.protocol === 'udp')
    throw new Fault('capability_missing', `Port ${found.port} speaks udp, which is not forwarded`)
  return found
}

async function dialled(dial: Endpoint['dial'], clock: Clock, call: Call): Promise<Socket> {
  const where = 'unix' in dial ? { path: dial.unix } : { host: dial.host, port: dial.port }
  const connection = connect({ ...where, allowHalfOpen: true })
  const deadline = withDeadline(clock, connectMs, 'Connecting to the port', call)
  try {
    const connected = new Promise<void>((resolve, reject) => {
      connection.once('connect', resolve)
      connection.once('error', (cause) => {
        const why = (cause as NodeJS.ErrnoException).code ?? 'unknown'
        reject(
          new Fault('service_not_running', `Nothing answers at the port (${why}); does the service listen?`, { cause }),
        )
      })
    })
    await orAbort(connected, deadline)
    return connection
  } catch (error) {
    connection.destroy()
    throw error
  } finally {
    deadline.clear()
  }
}

async function converse(socket: SessionSocket, connection: Socket): Promise<void> {
  const leave = onAbort(socket.signal, () => connection.destroy())
  try {
    const back = pump(connection, (bytes) => socket.bytes(frameStreams.stdout, bytes)).then(() =>
      socket.say({ type: 'end' }),
    )
    await Promise.all([back, listen(socket, connection)])
  } finally {
    leave()
  }
}

/** Until the caller closes its side. */
async function listen(socket: SessionSocket, connection: Socket): Promise<void> {
  for (let next = await socket.next(); next; next = await socket.next()) {
    if (next.type === 'bytes') await written(connection, next.bytes)
    else if (readFrame(forwardClientFrame, next).type === 'end') {
      connection.end()
      return
    } else throw new Fault('schema', 'There is one connection for each WebSocket, and it is made already')
  }
}

function written(connection: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}
