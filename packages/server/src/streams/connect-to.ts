/** A connection to an address that was seen: from here, or through the engine where only that can reach it. */
import { connect, type Socket } from 'node:net'
import { type Call, type Clock, Fault, orAbort, withDeadline } from '@gantry/core'
import type { Connection, Endpoint } from '@gantry/providers'
import type { Target } from './target.ts'

const connectMs = 10_000

export async function connectTo(
  { via, dial, service }: Endpoint,
  { engine, replica }: Pick<Target, 'engine' | 'replica'>,
  clock: Clock,
  call: Call,
): Promise<Connection> {
  if (via === 'direct') return overSocket(await dialled(dial, clock, call))
  if (!engine.connect || !('port' in dial)) {
    throw new Fault(
      'capability_missing',
      `Nobody here can reach this port of ${service}, and ${engine.type} cannot either`,
    )
  }
  const deadline = withDeadline(clock, connectMs, 'Connecting to the port through the engine', call)
  try {
    return await engine.connect(replica.engineId, service, dial.port, deadline)
  } finally {
    deadline.clear()
  }
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

function overSocket(socket: Socket): Connection {
  return {
    incoming: socket,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()))
      }),
    end: async () => void socket.end(),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.destroy(),
  }
}
