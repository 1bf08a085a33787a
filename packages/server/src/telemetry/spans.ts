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

/** Around a request; what `work` starts inside belongs to it. */
export function requestSpan<T>(
  { operation, method, requestId, headers }: RequestSpan,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const attributes = { 'http.request.method': method, 'gantry.operation': operation, 'gantry.request_id': requestId }
  const parent = propagation.extract(context.active(), headers)
  return context.with(parent, () => inSpan(operation, SpanKind.SERVER, attributes, work))
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
