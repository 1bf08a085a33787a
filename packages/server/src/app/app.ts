/** The HTTP server, made from the table of routes. */
import { randomUUID } from 'node:crypto'
import { requestIdHeader } from '@gantry/api'
import { Fault } from '@gantry/core'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { acceptUpgrades } from '../streams/upgrade.ts'
import { type OpenSpan, openRequestSpan } from '../telemetry/spans.ts'
import { readJson } from './body.ts'
import { answerClientError } from './client-errors.ts'
import { Connections } from './connections.ts'
import { allRoutes, type Routes } from './implement.ts'
import { OpenRequests } from './open-requests.ts'
import { refuseForeignOrigin } from './origin.ts'
import { type PipelineDeps, type Steps, stepsOf } from './pipeline.ts'
import { faultOf, problemOf } from './problem.ts'
import type { TlsFiles } from './tls.ts'

export type AppOptions = { readonly tls?: TlsFiles }

export function createApp(routes: Routes, deps: PipelineDeps, { tls }: AppOptions = {}): FastifyInstance {
  const { limits, log } = deps
  const timeouts = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  }
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void send(reply, faultOf(error), request.id),
    ...(tls ? { https: { ...timeouts, ...tls } } : { http: timeouts }),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ [requestIdHeader]: request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    try {
      refuseForeignOrigin(request.method, request.headers)
    } catch (error) {
      return done(error as Error)
    }
    done()
  })
  let isClosing = false
  const connections = new Connections(app.server, tls !== undefined)
  app.addHook('preClose', async () => {
    isClosing = true
    connections.close()
  })
  // A connection that was busy when the server began to stop would be kept for the next request, and hold up the end.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (_request: unknown, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      let body: unknown
      try {
        body = readJson(bytes)
      } catch (error) {
        done(error as Error)
        return
      }
      done(null, body)
    },
  )
  const requests = new OpenRequests({ clock: deps.clock, answerMs: limits.answerMs, stopping: deps.stopping })
  for (const route of allRoutes(routes)) addRoute(app, route.endpoint, stepsOf(route, deps, requests))
  acceptUpgrades(app)
  app.setNotFoundHandler((request, reply) =>
    send(reply, new Fault('route_not_found', 'There is nothing at this address; see /openapi.json'), request.id),
  )
  app.setErrorHandler((error, request, reply) => send(reply, faultOf(error), request.id))
  return app

  function addRoute(instance: FastifyInstance, endpoint: AnyEndpoint, steps: Steps): void {
    instance.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: (request) => {
        const { operation, method } = endpoint
        const span = openRequestSpan({ operation, method, requestId: request.id, headers: request.headers })
        spans.set(request, span)
        return span.within(() => steps.admit(request))
      },
      onResponse: (request, reply, done) => {
        const { operation } = endpoint
        deps.metrics.answered({ operation, status: reply.statusCode, ms: reply.elapsedTime })
        spans.get(request)?.end(reply.statusCode)
        done()
      },
      handler: (request, reply) => {
        const work = (): Promise<FastifyReply> => steps.answer(request, reply)
        return spans.get(request)?.within(work) ?? work()
      },
      errorHandler: async (error, request, reply) => {
        const fault = faultOf(error)
        spans.get(request)?.failed(fault)
        if (fault.kind === 'internal') {
          log.error('a request failed', { requestId: request.id, operation: endpoint.operation, detail: fault.detail })
        }
        try {
          await steps.refused(request, fault)
        } catch (cause) {
          // What must be recorded and cannot be is not answered as if it had been.
          return send(reply, faultOf(cause), request.id)
        }
        return send(reply, fault, request.id)
      },
    })
  }
}

/** Of the requests that are under way. */
const spans = new WeakMap<FastifyRequest, OpenSpan>()

type AnyEndpoint = ReturnType<typeof allRoutes>[number]['endpoint']

function send(reply: FastifyReply, fault: Fault, requestId: string): FastifyReply {
  const { status, headers, body } = problemOf(fault, requestId)
  return reply.code(status).headers(headers).send(body)
}
