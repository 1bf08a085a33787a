/** Spans of OpenTelemetry: its API only. Without an SDK, which a user may bring, they cost next to nothing and go nowhere. */
import { type FaultKind, faultMeaning, isFault, type ObjectKey } from '@gantry/core'
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracerName = 'gantry'

export type RequestSpan = {
  readonly operation: string
  readonly method: string
  readonly requestId: string
  /** As they came: who called may have begun a trace. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A span that is begun in one place and ended in another: a request goes through several hands. */
export type OpenSpan = {
  /** What is started inside belongs to it. */
  within<T>(work: () => T): T
  /** The request was refused, or we have failed. */
  failed(error: unknown): void
  /** The answer has gone out. */
  end(status: number): void
}

export function openRequestSpan({ operation, method, requestId, headers }: RequestSpan): OpenSpan {
  const attributes = { 'http.request.method': method, 'gantry.operation': operation, 'gantry.request_id': requestId }
  const parent = propagation.extract(context.active(), headers)
  const span = trace.getTracer(tracerName).startSpan(operation, { kind: SpanKind.SERVER, attributes }, parent)
  const inside = trace.setSpan(parent, span)
  return {
    within: (work) => context.with(inside, work),
    failed: (error) => markFailed(span, error),
    end(status) {
      span.setAttribute('http.response.status_code', status)
      span.end()
    },
  }
}

/** Around one write of the store. */
export function writeSpan<T>(commands: number, work: () => Promise<T>): Promise<T> {
  return inSpan('store write', SpanKind.CLIENT, { 'gantry.commands': commands }, work)
}

/** Around one reconcile of one key. */
export function reconcileSpan<T>(controller: string, key: ObjectKey, work: (span: Span) => Promise<T>): Promise<T> {
  const attributes = {
    'gantry.controller': controller,
    'gantry.kind': key.kind,
    'gantry.name': key.name,
    ...(key.tenant === undefined ? {} : { 'gantry.tenant': key.tenant }),
  }
  return inSpan(`reconcile ${controller}`, SpanKind.INTERNAL, attributes, work)
}

function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  return trace.getTracer(tracerName).startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      markFailed(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** By kind and reason, never by the text: a span leaves the house. A refusal is an answer; only our own failure is an error. */
function markFailed(span: Span, error: unknown): void {
  const kind: FaultKind = isFault(error) ? error.kind : 'internal'
  span.setAttributes({ 'error.type': isFault(error) ? error.reason : 'unexpected', 'gantry.fault': kind })
  if (faultMeaning[kind].status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}
