/** The client of a connection. */
import type { Client, WebSocketFactory, WebSocketLike } from '@gantry/api'
import { createLightClient } from '@gantry/api/light'
import type { Clock } from '@gantry/core'
import type { Connection } from '../world/world.ts'

export async function connect(
  { server, token }: Connection,
  clock: Clock,
  timeoutMs?: number,
  webSocket?: WebSocketFactory,
): Promise<Client> {
  const { nodeFetch } = await import('./node-fetch.ts')
  return createLightClient({ server, token, clock, timeoutMs, webSocket, fetch: nodeFetch })
}

/** With what exec and port-forward need beside: a WebSocket, which Node has of its own only from 22 on. */
export async function connectWithSockets(connection: Connection, clock: Clock, timeoutMs?: number): Promise<Client> {
  const { WebSocket } = await import('ws')
  return await connect(
    connection,
    clock,
    timeoutMs,
    (url, protocols) => new WebSocket(url, protocols, { perMessageDeflate: false }) as unknown as WebSocketLike,
  )
}
