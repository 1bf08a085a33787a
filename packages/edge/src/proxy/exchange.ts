/** One request and its answer: sent to a backend, to another one where that is safe, and streamed back. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@gantry/core'
import type { Dispatcher } from 'undici'
import type { FailureReason } from '../figures/figures.ts'
import { type Choice, choose } from '../routing/choice.ts'
import type { Fleet } from '../routing/fleet.ts'
import type { LiveRoute } from '../routing/routing.ts'
import type { Backend } from '../upstream/backend.ts'
import type { Connection } from '../upstream/connection.ts'
import { answerHead } from './answer-head.ts'
import { failurePage } from './failure-page.ts'
import type { EdgeLimits } from './limits.ts'
import { linger } from './linger.ts'
import { type Page, sendPage } from './page.ts'
import { Patience } from './patience.ts'
import { RequestBody } from './request-body.ts'
import type { RequestHead } from './request-head.ts'
import { verdictOn } from './retry.ts'
import type { Stalls, Waiting } from './stalls.ts'

export type ExchangeContext = {
  readonly clock: Clock
  readonly limits: EdgeLimits
  readonly stalls: Stalls
  readonly fleet: Fleet
}

/** Over new connections; each was closed by its backend without an answer, so it is not for want of trying. */
const mostFresh = 2

/** Answers up to this size are sent in one piece with their head. */
const onePiece = 16_384

export class Exchange implements Dispatcher.DispatchHandler, Waiting {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #head: RequestHead
  readonly #live: LiveRoute
  readonly #context: ExchangeContext
  readonly #began: number
  readonly #tried: Backend[] = []
  #body: RequestBody | undefined
  #choice: Choice | undefined
  #connection: Connection | undefined
  #reused = false
  #sent = false
  #fresh = 0
  #patience: Patience | undefined
  #stopWaiting = (): void => undefined
  #continued = false
  #status = 0
  /** What the answer's body still owes; undefined where the backend did not say how long it is. */
  #left: number | undefined
  /** Something of the answer is on its way to the client. */
  #flowing = false
  #resume: (() => void) | undefined
  #over = false
  owesSince: number | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    head: RequestHead,
    live: LiveRoute,
    context: ExchangeContext,
  ) {
    this.#request = request
    this.#response = response
    this.#head = head
    this.#live = live
    this.#context = context
    this.#began = context.clock.monotonic()
  }

  start(): void {
    this.#live.counts.began()
    this.#response.on('close', this.#onClientClose)
    if (this.#head.hasBody) this.#body = this.#newBody()
    this.#attempt('nobody', this.#live)
  }

  /** By the table that is in force now: who was there when the request came may have left meanwhile. */
  #attemptAgain(last: FailureReason): void {
    const { host, path } = this.#head
    this.#attempt(last, this.#context.fleet.routing.find(host, path) ?? this.#live)
  }

  #attempt(last: FailureReason, { slots }: LiveRoute): void {
    const choice = choose(slots, this.#tried, this.#context.clock.monotonic())
    if (!choice) {
      this.#fail(last, failurePage(this.#live.route, last))
      return
    }
    const { slot, backend } = choice
    this.#choice = choice
    this.#sent = false
    this.#connection = this.#fresh > 0 ? backend.takeFresh() : backend.take()
    slot.counts.began()
    backend.counts.began()
    const method = (this.#request.method ?? 'GET') as Dispatcher.HttpMethod
    const { path, headers } = this.#head
    this.#connection.send({ method, path, headers, body: this.#body ?? null }, this)
  }

  // The handler that undici calls, in the order of the answer.

  onConnect(): void {
    this.#sent = true
    this.#reused = this.#connection?.reused ?? false
    this.#choice?.backend.ejection.worked()
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean {
    if (status < 200) return true
    const { headers, length } = answerHead(raw)
    this.#status = status
    this.#left = length
    this.#resume = resume
    // A client that was not told to go on may or may not send its body: what comes next could be read in two ways.
    if (this.#head.expectsContinue && !this.#continued) headers.push('connection', 'close')
    this.#response.writeHead(status, statusText, headers)
    // A stream's head is to be seen before there is a body; an answer that is here already goes out in one piece.
    process.nextTick(this.#flushHead)
    return true
  }

  onData(chunk: Buffer): boolean {
    const response = this.#response
    const first = !this.#flowing
    this.#flowing = true
    if (this.#left !== undefined) {
      this.#left -= chunk.length
      if (this.#left === 0 && first && chunk.length <= onePiece) {
        // As text it goes out in one piece with the head.
        response.end(chunk.toString('latin1'), 'latin1')
        return true
      }
    }
    if (response.write(chunk)) return true
    this.owesSince = this.#context.clock.monotonic()
    this.#context.stalls.watch(this)
    response.once('drain', this.#onDrain)
    return false
  }

  onComplete(trailers: string[] | Buffer[] | null): void {
    if (this.#over) return
    const tookMs = this.#context.clock.monotonic() - this.#began
    if (trailers && trailers.length > 0) this.#response.addTrailers(pairs(trailers))
    if (!this.#response.writableEnded) this.#response.end()
    const { slot, backend } = this.#choice ?? {}
    slot?.counts.answered(this.#status, tookMs)
    backend?.counts.answered(this.#status, tookMs)
    this.#live.counts.answered(this.#status, tookMs)
    if (this.#connection) {
      this.#connection.answered()
      backend?.giveBack(this.#connection)
    }
    this.#end()
    if (!this.#request.complete) linger(this.#request, this.#context.clock, this.#context.limits.lingerMs)
  }

  onError(error: Error): void {
    if (this.#over) return
    this.#connection?.destroy()
    const { slot, backend } = this.#choice ?? {}
    const { reason, retry } = verdictOn({
      method: this.#request.method ?? '',
      hasBody: this.#body !== undefined,
      sent: this.#sent,
      reused: this.#reused,
      answered: this.#status !== 0,
      error,
    })
    slot?.counts.failed(reason)
    backend?.counts.failed(reason)
    this.#choice = undefined
    const waitMs = retry === 'elsewhere' && backend?.maxConnectionAgeMs !== undefined ? this.#waitMs() : undefined
    if (waitMs !== undefined) {
      this.#stopWaiting = this.#context.clock.after(waitMs, () => this.#attemptAgain(reason))
      return
    }
    if (retry === 'elsewhere' && backend) {
      backend.ejection.failed(this.#context.clock.monotonic())
      this.#tried.push(backend)
      this.#attemptAgain(reason)
      return
    }
    if (retry === 'fresh' && this.#fresh < mostFresh) {
      this.#fresh++
      this.#attemptAgain(reason)
      return
    }
    this.#fail(reason, failurePage(this.#live.route, reason))
  }

  #waitMs(): number | undefined {
    this.#patience ??= new Patience(this.#context.clock, this.#context.limits.connectMs)
    return this.#patience.nextMs()
  }

  // The client's side.

  tooSlow(): boolean {
    return false
  }

  giveUp(): void {
    this.#response.destroy()
  }

  readonly #flushHead = (): void => {
    if (!this.#flowing && !this.#over) this.#response.flushHeaders()
  }

  readonly #onDrain = (): void => {
    this.owesSince = undefined
    this.#context.stalls.unwatch(this)
    if (!this.#over) this.#resume?.()
  }

  readonly #onClientClose = (): void => {
    if (this.#over || this.#response.writableEnded) return
    this.#fail('client')
  }

  #newBody(): RequestBody {
    const wanted = (): void => {
      if (!this.#head.expectsContinue) return
      this.#continued = true
      this.#response.writeContinue()
    }
    const what = 'The body of the request came too slowly, or not at all.'
    const page: Page = { status: 408, what, why: `It stopped for more than ${this.#context.limits.stallMs / 1000} s.` }
    return new RequestBody(this.#request, { ...this.#context, wanted, tooSlow: () => this.#fail('client', page) })
  }

  /** For good. An answer that was begun is cut off, because to end it properly would be to say that it is whole. */
  #fail(reason: FailureReason, page?: Page): void {
    this.#over = true
    this.#connection?.destroy()
    this.#choice?.slot.counts.failed(reason)
    this.#choice?.backend.counts.failed(reason)
    this.#live.counts.failed(reason)
    this.#end()
    if (!page || this.#response.headersSent) return void this.#response.destroy()
    sendPage(this.#request, this.#response, page, this.#head.expectsContinue && !this.#continued)
    linger(this.#request, this.#context.clock, this.#context.limits.lingerMs)
  }

  #end(): void {
    this.#over = true
    this.#stopWaiting()
    this.#choice = undefined
    this.#connection = undefined
    this.#response.off('close', this.#onClientClose)
    this.#response.off('drain', this.#onDrain)
    this.#context.stalls.unwatch(this)
    this.#body?.destroy()
  }
}

function pairs(trailers: readonly (string | Buffer)[]): [string, string][] {
  const list: [string, string][] = []
  for (let at = 0; at < trailers.length; at += 2) {
    list.push([trailers[at]?.toString('latin1') ?? '', trailers[at + 1]?.toString('latin1') ?? ''])
  }
  return list
}
