/** The listening side: node:http with limits, and what becomes of each kind of request. */
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Exchange, type ExchangeContext } from './exchange.ts'
import { unroutedPage } from './failure-page.ts'
import { linger } from './linger.ts'
import { type Page, rawPage, sendPage } from './page.ts'
import { readHead } from './request-head.ts'
import { Tunnel } from './tunnel.ts'

export function createProxy(context: ExchangeContext): Server {
  const { limits, fleet } = context
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // A body may take as long as it likes while it comes; the stalls are watched instead.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.max(50, Math.min(2000, limits.headersMs / 4)),
    keepAlive: true,
    noDelay: true,
    insecureHTTPParser: false,
  })
  // Bounded by their size; a limit by number would leave some out without a word.
  server.maxHeadersCount = 0
  server.maxConnections = limits.connections
  // After a request that could not be understood nothing that follows can be, though it may have been read already.
  const refused = new WeakSet<Duplex>()
  const latest = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request, response) => serve(request, response))
  server.on('checkContinue', (request, response) => serve(request, response))
  server.on('checkExpectation', (request, response) => serve(request, response))
  server.on('upgrade', (request, socket, first) => upgrade(request, socket, first))
  server.on('connect', (_, socket) => endWith(socket, notAForwardProxy))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!refused.has(socket)) onClientError(error, socket, latest.get(socket))
  })
  return server

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (refused.has(request.socket)) return
    latest.set(request.socket, response)
    const { routing } = fleet
    const head = readHead(request, routing.trusts)
    const live = 'why' in head ? undefined : routing.find(head.host, head.path)
    if ('why' in head) {
      refused.add(request.socket)
      sendPage(request, response, badRequest(head.status, head.why), true)
    } else if (live) {
      new Exchange(request, response, head, live, context).start()
    } else {
      fleet.unrouted++
      sendPage(request, response, unroutedPage(head.host), head.expectsContinue)
      linger(request, context.clock, limits.lingerMs)
    }
  }

  function upgrade(request: IncomingMessage, socket: Duplex, first: Buffer): void {
    const respond = (): ServerResponse => responseOver(request, socket as Socket)
    const { routing } = fleet
    const head = readHead(request, routing.trusts)
    const live = 'why' in head ? undefined : routing.find(head.host, head.path)
    if ('why' in head) {
      sendPage(request, respond(), badRequest(head.status, head.why), true)
    } else if (head.hasBody) {
      // What comes after the head belongs to the new protocol or to the body, and one could be taken for the other.
      sendPage(request, respond(), badRequest(400, 'It asks for an upgrade and has a body.'), true)
    } else if (!live) {
      fleet.unrouted++
      sendPage(request, respond(), unroutedPage(head.host), true)
    } else if (isWebSocket(request)) {
      new Tunnel({ request, socket, first, respond, head }, live, context).start()
    } else {
      // Any other upgrade (h2c) is an offer, and is not taken up: it would open a way past the routes.
      new Exchange(request, respond(), head, live, context).start()
    }
  }
}

const notAForwardProxy: Page = {
  status: 405,
  what: 'This is not a proxy for other hosts.',
  why: 'CONNECT was asked for.',
}

function badRequest(status: number, why: string): Page {
  return { status, what: 'The request cannot be passed on, because it could be read in more than one way.', why }
}

function isWebSocket({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** After an upgrade was asked for there is only a socket; this answers over it once, and ends it. */
function responseOver(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  return response
}

const clientErrors: Readonly<Record<string, Page>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    what: 'The head of the request is too large.',
    why: 'Fewer or shorter headers would pass.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    what: 'The head of the request did not come in time.',
    why: 'It stopped midway.',
  },
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex, latest: ServerResponse | undefined): void {
  // In the midst of an answer a page would be taken for a part of it.
  const midway = latest?.headersSent && !latest.writableFinished
  if (midway || error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else endWith(socket, clientErrors[error.code ?? ''] ?? badRequest(400, 'It is not proper HTTP/1.1.'))
}

function endWith(socket: Duplex, page: Page): void {
  socket.on('error', () => socket.destroy())
  socket.end(rawPage(page), () => socket.destroy())
}
