/** Gets one request to the server and its answer back, or says where it looked and why that failed. */
import { type Call, type Clock, Fault, isFault } from '@gantry/core'
import type { Endpoints } from '../endpoints/table.ts'
import type { WireRequest } from './request.ts'
import { describeFailure } from './unreachable.ts'
import type { WebSocketFactory } from './web-socket.ts'

/** What is read of an answer: a `Response` has it, and so has whatever stands in for one. */
export type Answered = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: {
    getReader(): { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> }
  } | null
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** What is asked for. */
export type Asking = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
  readonly body?: string
}

export type Fetch = (url: string, asking: Asking) => Promise<Answered>

export type TokenSource = string | ((call: Call) => string | Promise<string>)

export type Transport = {
  readonly fetch: Fetch
  /** Without a slash at the end. */
  readonly server: string
  readonly token: TokenSource | undefined
  readonly clock: Clock
  /** Those that can be asked, with or without their schemas. */
  readonly endpoints: Endpoints
  /** Left out: the runtime's own, where it has one. */
  readonly webSocket?: WebSocketFactory | undefined
}

/** Answers as soon as the headers are there. Ends with the caller's own reason if the caller's signal does. */
export async function send(transport: Transport, request: WireRequest, call: Call): Promise<Answered> {
  const { fetch, server, token } = transport
  const bearer = typeof token === 'function' ? await token(call) : token
  try {
    return await fetch(server + request.target, {
      method: request.method,
      headers: { ...request.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
      // A token is for the server that it was made for, and for nobody that it might send us to.
      redirect: 'manual',
      signal: call.signal,
      ...(request.body !== undefined && { body: request.body }),
    })
  } catch (error) {
    throw unreachable(transport, request, error, call)
  }
}

/** Why there is no answer, or no more of it. */
export function unreachable({ server }: Transport, request: WireRequest, error: unknown, { signal }: Call): unknown {
  if (signal.aborted) return signal.reason
  if (isFault(error)) return error
  const { why, sent } = describeFailure(error)
  const doubt =
    sent && request.method !== 'GET' ? '. What was asked for may have been done: look before asking again' : ''
  return new Fault('server_unreachable', `Gantry at ${server} cannot be reached: ${why}${doubt}`, { cause: error })
}

/** The address as it is used and shown. */
export function serverAddress(server: string | URL): string {
  const url = URL.canParse(String(server)) ? new URL(String(server)) : undefined
  const refuse = (why: string): Fault =>
    new Fault('bad_request', `The address of the server cannot be used: it ${why}, as in http://127.0.0.1:7400`)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refuse('must begin with http:// or https://')
  if (url.username || url.password) throw refuse('must be without a user and password')
  if (url.search || url.hash) throw refuse('must end with the path')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
