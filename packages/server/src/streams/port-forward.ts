/** One TCP connection to a port of a replica, inside a WebSocket. */
import { endpoints, forwardClientFrame, frameStreams } from '@gantry/api'
import { type Clock, Fault, onAbort } from '@gantry/core'
import type { Connection } from '@gantry/providers'
import { implement, type Routes } from '../app/implement.ts'
import { connectTo } from './connect-to.ts'
import { forwardedEndpoint } from './forwarded-endpoint.ts'
import { pump } from './pump.ts'
import { readFrame, type SessionSocket } from './session-socket.ts'
import { chooseTarget, findWorkload, placesOf, type TargetDeps } from './target.ts'

export function portForwardRoute(deps: TargetDeps & { readonly clock: Clock }): Routes['streams']['portForward'] {
  return implement(endpoints.streams.portForward, async ({ params, access, recording, signal }) => {
    const workload = await findWorkload(deps.store, access, params, { signal })
    const places = await placesOf(deps.store, access, params, { signal })
    const session = async (socket: SessionSocket): Promise<void> => {
      const start = await socket.first(forwardClientFrame)
      if (start.type !== 'start') throw new Fault('schema', 'The first frame must say which port: type start')
      const target = chooseTarget(deps.hub, places, start, workload.status.stable)
      const { service, slot, replica } = target
      const endpoint = forwardedEndpoint(target, start, workload.spec)
      const detail = { port: endpoint.port, service, slot, replica: replica.index }
      const entry = recording.draft({ target: { kind: 'Workload', ...params }, detail })
      await deps.store.write(access, [], { audit: entry }, socket)
      const connection = await connectTo(endpoint, target, deps.clock, socket)
      try {
        await socket.say({ type: 'started', ...detail })
        await converse(socket, connection)
      } finally {
        connection.close()
      }
    }
    return { session }
  })
}

async function converse(socket: SessionSocket, connection: Connection): Promise<void> {
  const leave = onAbort(socket.signal, () => connection.close())
  try {
    const back = pump(connection.incoming, (bytes) => socket.bytes(frameStreams.stdout, bytes)).then(() =>
      socket.say({ type: 'end' }),
    )
    // What the other side says went wrong is told, and not taken for an end.
    const broken = new Promise<never>((_, reject) => connection.closed.catch(reject))
    await Promise.race([broken, Promise.all([back, listen(socket, connection)])])
  } finally {
    leave()
  }
}

/** Until the caller closes its side. */
async function listen(socket: SessionSocket, connection: Connection): Promise<void> {
  for (let next = await socket.next(); next; next = await socket.next()) {
    if (next.type === 'bytes') await connection.write(next.bytes)
    else if (readFrame(forwardClientFrame, next).type === 'end') {
      await connection.end()
      return
    } else throw new Fault('schema', 'There is one connection for each WebSocket, and it is made already')
  }
}
