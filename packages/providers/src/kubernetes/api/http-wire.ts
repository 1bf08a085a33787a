/** The wire on node:https, with connections that are kept. */
import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { type Call, type Clock, onAbort, sleep, withDeadline } from '@gantry/core'
import type { Credentials, Signed } from '../config/credentials/credentials.ts'
import { type Address, tlsOptions } from './address.ts'
import { wholeBody } from './body.ts'
import { faultOf, unreachable } from './faults.ts'
import { openSocket } from './open-socket.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Wire, WireRequest } from './wire.ts'

export type WireOptions = {
  readonly clock: Clock
  /** How long the server may take to answer. */
  readonly answerMs: number
  /** Who asks, for people. */
  readonly as: string
}

/** More at once only wait inside the server, where they also count against us. */
const mostAtOnce = 24
/** A server closes one that is idle for a minute and a half; ours are closed before that, so that no change meets it. */
const idleMs = 45_000
/** A server that says when to come again is heeded once, if that is soon: for it this is the usual way to slow us down. */
const longestWaitMs = 5_000

/** Connections that were made with one certificate. Streams have their own, so that they do not hold up questions. */
type Lines = { readonly certificate: Signed['certificate']; readonly questions: Agent; readonly streams: Agent }

export function httpWire(address: Address, credentials: Credentials, { clock, answerMs, as }: WireOptions): Wire {
  const { server, secure, host, port, prefix } = address
  const start = secure ? tlsRequest : plainRequest
  let lines: Lines | undefined

  return {
    server,
    ask: (request, call) =>
      inTime(request, call, async (deadline) => {
        const message = await answered(request, 'questions', deadline)
        return wholeBody(message, deadline, (cause) => unreachable(server, nameOf(request), cause))
      }),
    open: (request, call) => inTime(request, call, (deadline) => answered(request, 'streams', deadline)),
    socket: (path, protocols, call) =>
      inTime({ method: 'GET', path }, call, async (deadline) => {
        const signed = await credentials.current(deadline)
        const opening = { address, as, path: prefix + path, protocols }
        const opened = await openSocket({ ...opening, signed }, deadline)
        if (opened !== 'unauthenticated') return opened
        const renewed = await credentials.renew(signed, deadline)
        const again = renewed ? await credentials.current(deadline) : signed
        const second = await openSocket({ ...opening, signed: again, last: true }, deadline)
        if (second === 'unauthenticated') throw unreachable(server, path, new Error('it refused without a word'))
        return second
      }),
    close() {
      lines?.questions.destroy()
      lines?.streams.destroy()
    },
  }

  async function inTime<T>(request: WireRequest, call: Call, work: (call: Call) => Promise<T>): Promise<T> {
    call.signal.throwIfAborted()
    if (request.patient) return work(call)
    const deadline = withDeadline(clock, answerMs, `The Kubernetes API's answer to ${nameOf(request)}`, call)
    try {
      return await work(deadline)
    } finally {
      deadline.clear()
    }
  }

  /** The beginning of an answer that is none of refusal. */
  async function answered(request: WireRequest, way: 'questions' | 'streams', call: Call): Promise<IncomingMessage> {
    const body = request.json === undefined ? undefined : JSON.stringify(request.json)
    let mayRenew = true
    let mayWait = true
    for (;;) {
      const now = credentials.current(call)
      const signed = now instanceof Promise ? await now : now
      const message = await send(request, body, linesFor(signed)[way], signed, call)
      const status = message.statusCode ?? 0
      if (status < 400) return message
      const text = (await wholeBody(message, call, (cause) => unreachable(server, nameOf(request), cause))).toString()
      if (status === 401 && mayRenew) {
        mayRenew = false
        if (await credentials.renew(signed, call)) continue
      }
      const waitMs = retryAfterMs(message.headers['retry-after'], clock)
      const untouched = status === 429 || (status === 503 && isHarmless(request))
      if (untouched && mayWait && waitMs !== undefined && waitMs <= longestWaitMs) {
        mayWait = false
        await sleep(clock, waitMs, call)
        continue
      }
      const { method, path } = request
      throw faultOf({ method, path, status, body: text, as, ...(waitMs !== undefined && { retryAfterMs: waitMs }) })
    }
  }

  function linesFor({ certificate }: Signed): Lines {
    if (lines && lines.certificate === certificate) return lines
    // Those that were made with another one end when what is under way on them has.
    lines?.questions.destroy()
    lines?.streams.destroy()
    const make = (maxSockets: number): Agent => {
      const options = { keepAlive: true, timeout: idleMs, maxSockets }
      return secure ? new TlsAgent({ ...options, ...tlsOptions(address, certificate) }) : new Agent(options)
    }
    lines = { certificate, questions: make(mostAtOnce), streams: make(Number.POSITIVE_INFINITY) }
    return lines
  }

  function send(
    request: WireRequest,
    body: string | undefined,
    agent: Agent,
    signed: Signed,
    call: Call,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = begin(request, body, agent, signed)
      const leave = onAbort(call.signal, () => outgoing.destroy())
      let hasAnswered = false
      outgoing.on('error', (cause) => {
        leave()
        // Told to who reads the answer, too; asked again, it would be one that nobody reads.
        if (hasAnswered) return
        if (call.signal.aborted) reject(call.signal.reason)
        // Closed from the other end while it lay idle. The next one may be as old; they are tried until one is new.
        else if (outgoing.reusedSocket && isHarmless(request)) resolve(send(request, body, agent, signed, call))
        else reject(unreachable(server, nameOf(request), cause))
      })
      outgoing.once('response', (message) => {
        leave()
        hasAnswered = true
        resolve(message)
      })
      outgoing.end(body)
    })
  }

  function begin(request: WireRequest, body: string | undefined, agent: Agent, { headers }: Signed): ClientRequest {
    const { method, path, accept = 'application/json', contentType = 'application/json' } = request
    const own: Record<string, string | string[] | number> = { ...(headers as Record<string, string>), accept }
    if (body !== undefined) {
      own['content-type'] = contentType
      own['content-length'] = Buffer.byteLength(body)
    }
    return start({ host, port, method, path: prefix + path, agent, headers: own })
  }
}

function isHarmless({ method, harmless }: WireRequest): boolean {
  return method === 'GET' || harmless === true
}

function nameOf({ method, path }: WireRequest): string {
  return `${method} ${path}`
}
