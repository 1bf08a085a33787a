/** The wire on node:http: over a unix socket, or tcp with or without TLS. */
import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { Readable } from 'node:stream'
import { type Call, type Clock, onAbort, withDeadline } from '@gantry/core'
import { type Endpoint, requestOptions } from './endpoint.ts'
import { faultOf, unreachable } from './faults.ts'
import { Turns } from './turns.ts'
import { type Hijacked, targetOf, type Wire, type WireAnswer, type WireRequest } from './wire.ts'

export type WireOptions = {
  readonly clock: Clock
  /** How long the engine may take to answer. */
  readonly answerMs: number
  /** What every path begins with: `/v1.41`, or nothing before the version is known. */
  readonly prefix: string
}

/**
 * An engine makes, starts and removes containers no faster for being asked about many of them: they wait for each other in there,
 * and with hundreds of them those at the end of the line were given up by us while the engine still worked on them.
 */
const atOnce = 4

type Opened = { readonly message: IncomingMessage } | { readonly hijacked: Hijacked }

export function httpWire(endpoint: Endpoint, { clock, answerMs, prefix }: WireOptions): Wire {
  const secure = 'tls' in endpoint && endpoint.tls !== undefined
  const options = requestOptions(endpoint)
  // Kept for questions only. One that was closed from the other end meanwhile is asked again on a new one, which is
  // harmless for a question; what changes something gets a connection of its own, and is never sent twice.
  const agent = secure ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const turns = { create: new Turns(atOnce), start: new Turns(atOnce), remove: new Turns(atOnce) }

  return {
    ask: (request, call) =>
      request.turn ? turns[request.turn].during(call, () => ask(request, call)) : ask(request, call),
    open: (request, call) =>
      inTime(request, call, async (deadline) => chunksOf(await answered(request, deadline), call)),
    hijack: (request, call) =>
      inTime(request, call, async (deadline) => {
        const opened = await send(request, deadline, { connection: 'Upgrade', upgrade: 'tcp' })
        if ('hijacked' in opened) return opened.hijacked
        opened.message.destroy()
        throw unreachable(nameOf(request), new Error('the engine kept the connection to itself'))
      }),
    close: () => agent.destroy(),
  }

  function ask(request: WireRequest, call: Call): Promise<WireAnswer> {
    return inTime(request, call, async (deadline) => {
      const message = await answered(request, deadline)
      return { status: message.statusCode ?? 0, body: await wholeBody(message, deadline) }
    })
  }

  async function inTime<T>(request: WireRequest, call: Call, work: (call: Call) => Promise<T>): Promise<T> {
    call.signal.throwIfAborted()
    if (request.moreMs === 'forever') return work(call)
    const deadline = withDeadline(
      clock,
      answerMs + (request.moreMs ?? 0),
      `Docker's answer to ${nameOf(request)}`,
      call,
    )
    try {
      return await work(deadline)
    } finally {
      deadline.clear()
    }
  }

  async function answered(request: WireRequest, call: Call): Promise<IncomingMessage> {
    const opened = await send(request, call, {})
    if ('message' in opened) return opened.message
    opened.hijacked.socket.destroy()
    throw unreachable(nameOf(request), new Error('the engine gave the connection up'))
  }

  function send(request: WireRequest, call: Call, headers: Record<string, string>, again = false): Promise<Opened> {
    return new Promise((resolve, reject) => {
      const outgoing = start(request, headers, again)
      const leave = onAbort(call.signal, () => outgoing.destroy())
      let hasAnswered = false
      const fail = (cause: Error): void => {
        leave()
        // Told to who reads the answer, too; asked again, it would be one that nobody reads.
        if (hasAnswered) return
        if (call.signal.aborted) reject(call.signal.reason)
        else if (outgoing.reusedSocket && request.method === 'GET') resolve(send(request, call, headers, true))
        else reject(unreachable(nameOf(request), cause))
      }
      outgoing.on('error', fail)
      outgoing.once('response', (message) => {
        leave()
        hasAnswered = true
        if ((message.statusCode ?? 0) < 400) return resolve({ message })
        refusal(request, message, call).then(reject, reject)
      })
      outgoing.once('upgrade', (_message: IncomingMessage, socket: Duplex, head: Buffer) => {
        leave()
        hasAnswered = true
        resolve({ hijacked: { socket, head } })
      })
      if (request.archive === undefined) writeBody(outgoing, request, reject)
      // Only when the engine says that it wants it: one that refuses closes the connection while we would still write, and
      // what it said would be lost.
      else outgoing.once('continue', () => writeBody(outgoing, request, reject))
    })
  }

  function start(request: WireRequest, headers: Record<string, string>, fresh: boolean): ClientRequest {
    const type = request.json !== undefined ? 'application/json' : request.archive ? 'application/x-tar' : undefined
    const body = { ...(type ? { 'content-type': type } : {}), ...(request.archive ? { expect: '100-continue' } : {}) }
    return (secure ? tlsRequest : plainRequest)({
      ...options,
      method: request.method,
      path: prefix + targetOf(request),
      agent: request.method === 'GET' && !fresh ? agent : false,
      headers: { ...options.headers, ...request.headers, ...headers, ...body },
    })
  }
}

function writeBody(outgoing: ClientRequest, { json, archive }: WireRequest, tell: (cause: unknown) => void): void {
  if (json !== undefined) outgoing.end(JSON.stringify(json))
  else if (archive === undefined) outgoing.end()
  else if (archive instanceof Uint8Array) outgoing.end(archive)
  else {
    const source = Readable.from(archive)
    // What fails here is the caller's own archive, and is told as it is.
    source.once('error', (cause) => {
      tell(cause)
      outgoing.destroy()
    })
    // An engine that refuses does not read to the end.
    outgoing.once('close', () => source.destroy())
    source.pipe(outgoing)
  }
}

async function refusal(request: WireRequest, message: IncomingMessage, call: Call): Promise<unknown> {
  const body = (await wholeBody(message, call)).toString('utf8')
  return faultOf({ method: request.method, path: request.path, status: message.statusCode ?? 0, body })
}

async function wholeBody(message: IncomingMessage, call: Call): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(message, call)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Watched from now on, also before anybody reads: a caller who leaves in between leaves no connection behind. */
export function chunksOf(message: Readable, { signal }: Call): AsyncGenerator<Buffer> {
  const leave = onAbort(signal, () => message.destroy())
  message.once('close', leave)
  // Told to whoever reads; without a reader there is nobody to tell.
  message.on('error', () => undefined)
  return read()

  async function* read(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of message) yield chunk as Buffer
    } catch (cause) {
      signal.throwIfAborted()
      throw unreachable('the answer broke off', cause)
    } finally {
      leave()
      if (!message.readableEnded) message.destroy()
    }
    signal.throwIfAborted()
  }
}

function nameOf({ method, path }: WireRequest): string {
  return `${method} ${path}`
}
