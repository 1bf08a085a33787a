/**
 * From an HTTP request to a WebSocket. A request for an upgrade goes the way of every other request: origin, identity,
 * authorization and the handler come first, and each can still refuse it in HTTP. Only then is the socket taken over.
 */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { bearerSubprotocol, type Endpoint, longestFrame, subprotocol } from '@gantry/api'
import { Fault } from '@gantry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { SessionSocket, type SessionSocketOptions } from './session-socket.ts'

type Upgrading = { readonly socket: Duplex; readonly head: Buffer }

const upgrading = new WeakMap<IncomingMessage, Upgrading>()

const sockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: longestFrame,
  perMessageDeflate: false,
  // Never the one with the token in it.
  handleProtocols: () => subprotocol,
})

export function acceptUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (request.method !== 'GET') {
      // With an upgrade in it the body of a request is not read, so there is nothing to answer to.
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    if (isWebSocket(request)) upgrading.set(request, { socket, head })
    moveToken(request)
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
}

/** At an address that does not speak WebSocket. */
export function refuseUpgrade(request: FastifyRequest): void {
  if (upgrading.has(request.raw)) throw new Fault('bad_request', 'There is nothing to upgrade to at this address')
}

/** Whoever asks for no upgrade where there is nothing else cannot change anything, and is on record for nothing. */
export function canUpgrade({ upgrade }: Endpoint, { raw }: FastifyRequest): boolean {
  return upgrade === undefined || upgrading.has(raw)
}

/** At one that speaks nothing else. */
export function expectUpgrade({ raw }: FastifyRequest): void {
  const offered = String(raw.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
  if (upgrading.has(raw) && offered.includes(subprotocol)) return
  const message = `This address speaks WebSocket: ask with Upgrade: websocket and the sub-protocol ${subprotocol}`
  throw new Fault('bad_request', message)
}

export function acceptSocket(
  { raw, id }: FastifyRequest,
  reply: FastifyReply,
  options: Omit<SessionSocketOptions, 'requestId'>,
): Promise<SessionSocket> {
  const { socket, head } = upgrading.get(raw) as Upgrading
  reply.raw.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0])
  return new Promise((resolve, reject) => {
    // What is no handshake after all is refused by the library, in HTTP.
    const refused = (): void => reject(new Fault('bad_request', 'The handshake of the WebSocket was not one'))
    socket.once('close', refused)
    sockets.handleUpgrade(raw, socket, head, (accepted: WebSocket) => {
      socket.off('close', refused)
      resolve(new SessionSocket(accepted, { ...options, requestId: id }))
    })
  })
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return String(headers.upgrade ?? '').toLowerCase() === 'websocket'
}

/** Browsers cannot send a header with a WebSocket, but sub-protocols. From here on it is a token like any other. */
function moveToken({ headers }: IncomingMessage): void {
  const offered = String(headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
  const bearer = offered.find((protocol) => protocol.startsWith(bearerSubprotocol))
  if (bearer === undefined) return
  headers.authorization ??= `Bearer ${bearer.slice(bearerSubprotocol.length)}`
  headers['sec-websocket-protocol'] = offered.filter((protocol) => protocol !== bearer).join(', ')
}
