/** A WebSocket: the backend is asked, and if it agrees the two connections become one until either ends. */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FailureReason } from '../figures/figures.ts'
import { type Choice, choose } from '../routing/choice.ts'
import type { LiveRoute } from '../routing/routing.ts'
import type { Backend } from '../upstream/backend.ts'
import type { ExchangeContext } from './exchange.ts'
import { failurePage } from './failure-page.ts'
import { fateOf } from './header-names.ts'
import { sendPage } from './page.ts'
import { Patience } from './patience.ts'
import type { RequestHead } from './request-head.ts'

export type Asked = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What the client sent after the head. */
  readonly first: Buffer
  /** For an answer that is not an agreement. */
  readonly respond: () => ServerResponse
  readonly head: RequestHead
}

export class Tunnel {
  readonly #asked: Asked
  readonly #live: LiveRoute
  readonly #context: ExchangeContext
  readonly #began: number
  readonly #tried: Backend[] = []
  #choice: Choice | undefined
  #upstream: ClientRequest | undefined
  #patience: Patience | undefined
  #stopWaiting = (): void => undefined
  #over = false

  constructor(asked: Asked, live: LiveRoute, context: ExchangeContext) {
    this.#asked = asked
    this.#live = live
    this.#context = context
    this.#began = context.clock.monotonic()
  }

  start(): void {
    this.#live.counts.began()
    this.#asked.socket.on('error', this.#onClientClose)
    this.#asked.socket.on('close', this.#onClientClose)
    this.#attempt('nobody', this.#live)
  }

  /** By the table that is in force now, as of a request. */
  #attemptAgain(last: FailureReason): void {
    const { host, path } = this.#asked.head
    this.#attempt(last, this.#context.fleet.routing.find(host, path) ?? this.#live)
  }

  #attempt(last: FailureReason, { slots }: LiveRoute): void {
    const choice = choose(slots, this.#tried, this.#context.clock.monotonic())
    if (!choice) {
      this.#refuse(last)
      return
    }
    this.#choice = choice
    choice.slot.counts.began()
    choice.backend.counts.began()
    const upstream = this.#dial(choice.backend)
    this.#upstream = upstream
    let connected = false
    const { connectMs, answerMs } = this.#context.limits
    let cancel = this.#context.clock.after(connectMs, () => upstream.destroy(lateError()))
    upstream.on('socket', (socket) =>
      socket.once('connect', () => {
        connected = true
        choice.backend.ejection.worked()
        cancel()
        cancel = this.#context.clock.after(answerMs, () => upstream.destroy(lateError()))
      }),
    )
    upstream.on('error', (error) => {
      cancel()
      const reason: FailureReason = isLate(error) ? 'timeout' : connected ? 'reset' : 'connect'
      this.#onUpstreamError(choice, reason, connected)
    })
    upstream.on('response', (answer) => {
      cancel()
      this.#onRefusal(choice, answer)
    })
    upstream.on('upgrade', (answer, socket, first) => {
      cancel()
      this.#onAgreement(choice, answer, socket, first)
    })
    upstream.end()
  }

  #dial({ dial }: Backend): ClientRequest {
    const { request, head } = this.#asked
    const headers = [...head.headers, 'connection', 'Upgrade', 'upgrade', 'websocket']
    const where = 'unix' in dial ? { socketPath: dial.unix } : { host: dial.host, port: dial.port }
    const method = request.method ?? 'GET'
    return httpRequest({ ...where, method, path: head.path, headers, setHost: false, agent: false })
  }

  #onUpstreamError({ slot, backend }: Choice, reason: FailureReason, connected: boolean): void {
    if (this.#over) return
    slot.counts.failed(reason)
    backend.counts.failed(reason)
    this.#choice = undefined
    if (connected) {
      this.#refuse(reason)
      return
    }
    const { clock, limits } = this.#context
    if (backend.maxConnectionAgeMs !== undefined) {
      this.#patience ??= new Patience(clock, limits.connectMs)
      const waitMs = this.#patience.nextMs()
      if (waitMs !== undefined) {
        this.#stopWaiting = clock.after(waitMs, () => this.#attemptAgain(reason))
        return
      }
    }
    backend.ejection.failed(clock.monotonic())
    this.#tried.push(backend)
    this.#attemptAgain(reason)
  }

  /** Another answer than an agreement is passed on like any other, and is the last on this connection. */
  #onRefusal(choice: Choice, answer: IncomingMessage): void {
    const response = this.#asked.respond()
    const headers = keptHeaders(answer.rawHeaders)
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', [...headers, 'connection', 'close'])
    answer.pipe(response)
    answer.on('end', () => this.#answered(choice, answer.statusCode ?? 502))
    answer.on('error', () => {
      this.#onClientClose()
      response.destroy()
    })
  }

  #onAgreement(choice: Choice, answer: IncomingMessage, upstream: Duplex, first: Buffer): void {
    const client = this.#asked.socket
    client.off('close', this.#onClientClose).off('error', this.#onClientClose)
    const lines = [`HTTP/1.1 101 ${answer.statusMessage || 'Switching Protocols'}`]
    const { rawHeaders } = answer
    for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
    client.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    if (first.length > 0) client.write(first)
    if (this.#asked.first.length > 0) upstream.write(this.#asked.first)
    const over = (): void => {
      client.destroy()
      upstream.destroy()
      this.#answered(choice, 101)
    }
    for (const side of [client, upstream]) side.on('error', over).on('close', over)
    client.pipe(upstream)
    upstream.pipe(client)
  }

  readonly #onClientClose = (): void => {
    if (this.#over) return
    // An agreement that is in force ends by itself, and was counted as what it is.
    this.#upstream?.destroy()
    this.#choice?.slot.counts.failed('client')
    this.#choice?.backend.counts.failed('client')
    this.#end()
    this.#live.counts.failed('client')
  }

  #answered({ slot, backend }: Choice, status: number): void {
    if (this.#over) return
    const tookMs = this.#context.clock.monotonic() - this.#began
    for (const counts of [slot.counts, backend.counts, this.#live.counts]) counts.answered(status, tookMs)
    this.#end()
  }

  #refuse(reason: FailureReason): void {
    if (this.#over) return
    this.#live.counts.failed(reason)
    this.#end()
    sendPage(this.#asked.request, this.#asked.respond(), failurePage(this.#live.route, reason), true)
  }

  #end(): void {
    this.#over = true
    this.#stopWaiting()
    this.#choice = undefined
    this.#asked.socket.off('close', this.#onClientClose)
  }
}

function keptHeaders(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const fate = fateOf(name)
    if (fate !== 'hop' && fate !== 'connection' && fate !== 'encoding') kept.push(name, raw[at + 1] ?? '')
  }
  return kept
}

const late = 'ETIMEDOUT'
const lateError = (): Error => Object.assign(new Error('no answer in time'), { code: late })
const isLate = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === late
