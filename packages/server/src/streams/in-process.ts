/** WebSockets to the server within its own process: a connection that never was one of the network. */
import type { Server } from 'node:http'
import { duplexPair } from 'node:stream'
import type { WebSocketFactory, WebSocketLike } from '@gantry/api'
import { WebSocket } from 'ws'

export function socketsTo(server: () => Promise<Server>): WebSocketFactory {
  return (url, protocols) => {
    const [near, far] = duplexPair()
    // As a request that comes by way of `inject`.
    Object.assign(far, { remoteAddress: '127.0.0.1' })
    server().then(
      (running) => running.emit('connection', far),
      (error: Error) => near.destroy(error),
    )
    const { host } = new URL(url)
    const options = { createConnection: () => near as never, headers: { host }, perMessageDeflate: false }
    return new WebSocket(url.replace(/^wss:/, 'ws:'), protocols, options) as unknown as WebSocketLike
  }
}
