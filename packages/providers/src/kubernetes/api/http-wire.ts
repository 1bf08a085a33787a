/** The wire over HTTP/1.1, with connections that are kept. */
import { type Call, type Clock, isFault, sleep, withDeadline } from '@gantry/core'
import type { Credentials, Signed } from '../config/credentials/credentials.ts'
import type { Address } from './address.ts'
import { faultOf, unreachable } from './faults.ts'
import type { BodyStream } from './http1/body-stream.ts'
import { dialer } from './http1/connect-socket.ts'
import type { Answer } from './http1/connection.ts'
import { isLost, Pool } from './http1/pool.ts'
import { headLines, questionText } from './http1/question-text.ts'
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
/** A server closes one that is idle for a minute and a half; ours are not used after less, so that no change meets it. */
const idleMs = 45_000
/** A server that says when to come again is heeded once, if that is soon: for it this is the usual way to slow us down. */
const longestWaitMs = 5_000

/** What is there for as long as we sign in as the same. Streams have their own connections, and hold up no questions. */
type Lines = { readonly signed: Signed; readonly head: string; readonly questions: Pool; readonly streams: Pool }

export function httpWire(address: Address, credentials: Credentials, { clock, answerMs, as }: WireOptions): Wire {
  const { server, host, port, prefix } = address
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  let lines: Lines | undefined

  return {
    server,
    ask: (request, call) => inTime(request, call, (deadline) => answered(request, false, deadline)) as Promise<Buffer>,
    open: (request, call) =>
      inTime(request, call, (deadline) => answered(request, true, deadline)) as Promise<BodyStream>,
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
      lines?.questions.close()
      lines?.streams.close()
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

  /** The body of an answer that is no refusal. */
  async function answered(request: WireRequest, streamed: boolean, call: Call): Promise<Buffer | BodyStream> {
    const body = request.json === undefined ? undefined : JSON.stringify(request.json)
    let mayRenew = true
    let mayWait = true
    for (;;) {
      const now = credentials.current(call)
      const signed = now instanceof Promise ? await now : now
      const { head, body: said } = await send(request, body, linesFor(signed), streamed, call)
      const { status } = head
      if (status < 400) return said
      if (status === 401 && mayRenew) {
        mayRenew = false
        if (await credentials.renew(signed, call)) continue
      }
      const waitMs = retryAfterMs(head.retryAfter, clock)
      const untouched = status === 429 || (status === 503 && isHarmless(request))
      if (untouched && mayWait && waitMs !== undefined && waitMs <= longestWaitMs) {
        mayWait = false
        await sleep(clock, waitMs, call)
        continue
      }
      const { method, path } = request
      const words = (said as Buffer).toString('utf8')
      throw faultOf({ method, path, status, body: words, as, ...(waitMs !== undefined && { retryAfterMs: waitMs }) })
    }
  }

  function linesFor(signed: Signed): Lines {
    if (lines?.signed === signed) return lines
    const head = headLines(authority, signed)
    // Another token goes over the same connections; another certificate needs others.
    if (lines && lines.signed.certificate === signed.certificate) lines = { ...lines, signed, head }
    else {
      lines?.questions.close()
      lines?.streams.close()
      const connect = dialer(address, signed.certificate)
      const pool = (atOnce: number): Pool => new Pool({ clock, connect, atOnce, idleMs })
      lines = { signed, head, questions: pool(mostAtOnce), streams: pool(Number.POSITIVE_INFINITY) }
    }
    return lines
  }

  async function send(
    request: WireRequest,
    body: string | undefined,
    { head, questions, streams }: Lines,
    streamed: boolean,
    call: Call,
  ): Promise<Answer> {
    const text = questionText(request, prefix + request.path, head, body)
    const pool = streamed ? streams : questions
    for (;;) {
      try {
        return await pool.ask({ text, streamed, ...(request.onBegin && { onBegin: request.onBegin }) }, call)
      } catch (error) {
        call.signal.throwIfAborted()
        if (isFault(error)) throw error
        if (!isLost(error)) throw unreachable(server, nameOf(request), error)
        if (isFault(error.cause)) throw error.cause
        // Closed from the other end while it lay idle. The next one may be as old; they are tried until one is new.
        if (!error.wasIdle || !isHarmless(request)) throw unreachable(server, nameOf(request), error.cause)
      }
    }
  }
}

function isHarmless({ method, harmless }: WireRequest): boolean {
  return method === 'GET' || harmless === true
}

function nameOf({ method, path }: WireRequest): string {
  return `${method} ${path}`
}
