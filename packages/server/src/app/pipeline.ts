/** The way of one request: who asks, may they, what do they want, do it, say so. */
import { createHash } from 'node:crypto'
import type { Identity } from '@gantry/api'
import type { Clock, Fault } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMutating, RequestRecorder } from '../audit/recorder.ts'
import type { Strangers } from '../audit/strangers.ts'
import type { Authenticate, Credentials } from '../auth/authenticate.ts'
import { type Access, authorize } from '../auth/authorize.ts'
import { eventsOf, lineFormat } from '../streams/line-format.ts'
import { runSession } from '../streams/session-socket.ts'
import { acceptSocket, canUpgrade, expectUpgrade, refuseUpgrade } from '../streams/upgrade.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { EventStream, watchFormat } from '../watch/event-stream.ts'
import type { OpenStreams } from '../watch/open-streams.ts'
import { conditionsOf, lastEventIdOf } from './conditions.ts'
import type { AnyRoute } from './implement.ts'
import type { HttpLimits } from './limits.ts'
import type { Log } from './log.ts'
import type { OpenRequest, OpenRequests } from './open-requests.ts'
import { faultOf } from './problem.ts'
import type { StreamAnswer, UpgradeAnswer } from './request.ts'
import { validatorsOf } from './validate.ts'

export type PipelineDeps = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  readonly log: Log
  readonly limits: HttpLimits
  readonly authenticate: Authenticate
  readonly strangers: Strangers
  readonly streams: OpenStreams
  /** Ends with the server: what is still under way then is given up for its reason. */
  readonly stopping: AbortSignal
  /** Told of every answer. */
  readonly metrics: Pick<Metrics, 'answered'>
  /** Throws `rate_limited`. Asked twice: before the identity is known, and after. */
  readonly admit?: (address: string, identity: Identity | undefined) => void
}

/** What is known of a request before its body is read. */
type Known = {
  readonly params: unknown
  readonly query: unknown
  readonly identity: Identity | undefined
  access: Access
  readonly recorder: RequestRecorder | undefined
  readonly open: OpenRequest
}

const known = new WeakMap<FastifyRequest, Known>()
const never = { signal: new AbortController().signal }
const watching = { type: 'text/event-stream', format: watchFormat }

export type Steps = {
  /** Before the body: a stranger's body is never read. */
  admit(request: FastifyRequest): Promise<void>
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** When it was refused, wherever on the way. */
  refused(request: FastifyRequest, fault: Fault): Promise<void>
}

export function stepsOf({ endpoint, handle }: AnyRoute, deps: PipelineDeps, requests: OpenRequests): Steps {
  const validate = validatorsOf(endpoint)
  const mutates = isMutating(endpoint)

  return {
    async admit(request) {
      deps.admit?.(request.ip, undefined)
      if (!endpoint.upgrade) refuseUpgrade(request)
      const params = validate.params(request.params)
      const query = validate.query(request.query)
      const open = requests.open()
      const identity = await identify(request, open)
      deps.admit?.(request.ip, identity)
      const recorder =
        identity && mutates && canUpgrade(endpoint, request)
          ? new RequestRecorder({ endpoint, params, from: request.ip, requestId: request.id, identity })
          : undefined
      const seen: Known = { params, query, identity, recorder, access: undefined, open }
      // Before it is refused: that too is recorded.
      known.set(request, seen)
      seen.access = authorize(endpoint, identity, params)
    },

    async answer(request, reply) {
      const seen = known.get(request)
      if (!seen) throw new Error('a request came to its handler without having been admitted')
      const body = validate.body(request.body)
      // A file may take its time to be made and to be read, like a watch.
      const isWatch = (seen.query as { watch?: boolean }).watch === true
      const isStream = isWatch || endpoint.reply.type === 'application/gzip' || endpoint.lines === true
      const { open } = seen
      const { signal } = open
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) open.end(faultOf(new Error('the caller is gone')))
      })
      if (!isStream) open.begin('The request')
      try {
        const answer = await handle({
          params: seen.params,
          query: seen.query,
          identity: seen.identity,
          access: seen.access,
          body,
          conditions: conditionsOf(endpoint, request.headers),
          lastEventId: isWatch ? lastEventIdOf(request.headers) : undefined,
          recording: seen.recorder,
          requestId: request.id,
          signal,
        })
        if ('stream' in answer) return sendStream(answer.stream, request, reply, open)
        if ('lines' in answer)
          return sendStream(eventsOf(answer.lines), request, reply, open, lineFormat(request.headers))
        if ('session' in answer) expectUpgrade(request)
        if ('session' in answer) return await beginSession(answer, request, reply, open)
        await seen.recorder?.finish(deps.store, deps.scope, { signal })
        if ('bytes' in answer) {
          const headers = { 'content-type': endpoint.reply.type, ...answer.headers }
          return reply.code(200).headers(headers).send(answer.bytes)
        }
        const text = 'text' in answer ? answer.text : textOf(answer.body)
        return reply
          .code(answer.status ?? endpoint.reply.statuses[0] ?? 200)
          .headers({ 'content-type': `${endpoint.reply.type}; charset=utf-8`, ...answer.headers })
          .send(text)
      } finally {
        open.rest()
      }
    },

    async refused(request, fault) {
      const seen = known.get(request)
      if (seen?.recorder) {
        await seen.recorder.refused(fault, deps.store, deps.scope, { signal: new AbortController().signal })
      } else if (fault.kind === 'unauthenticated') deps.strangers.count(request.ip, endpoint.operation)
    },
  }

  function sendStream(
    events: StreamAnswer['stream'],
    request: FastifyRequest,
    reply: FastifyReply,
    open: OpenRequest,
    { type, format } = watching,
  ) {
    let forget = (): void => undefined
    const ended = (why: Fault | undefined): void => {
      forget()
      open.end(why)
      if (why) deps.log.info('a stream was ended', { requestId: request.id, reason: why.reason })
    }
    const { clock, limits } = deps
    const { stalledMs } = limits
    const stream = new EventStream(events, { clock, stalledMs, requestId: request.id, ended, format })
    forget = deps.streams.add(readerOf(request), stream, () => recheck(request))
    return reply
      .code(200)
      .headers({ 'content-type': `${type}; charset=utf-8` })
      .send(stream)
  }

  /** From here on there is no answer: what goes wrong is said over the socket. */
  async function beginSession(
    { session }: UpgradeAnswer,
    request: FastifyRequest,
    reply: FastifyReply,
    open: OpenRequest,
  ): Promise<FastifyReply> {
    const { clock, limits, log } = deps
    reply.hijack()
    const socket = await acceptSocket(request, reply, { clock, ...limits })
    open.rest()
    const forget = deps.streams.add(readerOf(request), socket, () => recheck(request))
    void runSession(socket, session, async (fault) => {
      log.info('a session was ended', { requestId: request.id, operation: endpoint.operation, reason: fault.reason })
      const recorder = known.get(request)?.recorder
      if (recorder && !recorder.isTaken) await recorder.refused(fault, deps.store, deps.scope, never)
    }).finally(forget)
    return reply
  }

  async function recheck(request: FastifyRequest): Promise<void> {
    const identity = await identify(request, requests.open())
    authorize(endpoint, identity, known.get(request)?.params)
  }

  async function identify(request: FastifyRequest, open: OpenRequest): Promise<Identity | undefined> {
    if (endpoint.permission === 'public') return undefined
    const credentials: Credentials = { headers: request.headers, address: request.ip }
    open.begin('Looking up who asks')
    try {
      return await deps.authenticate(credentials, open)
    } finally {
      open.rest()
    }
  }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The same route asked with the same credentials. Hashed: nothing keeps a token for longer than its request. */
function readerOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.headers.authorization}\n${request.routeOptions.url}\n${request.url}`)
    .digest('hex')
}
