import { Fault } from '@gantry/core'
import { type Attributes, type Context, type Span, type SpanOptions, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { reconcileSpan, requestSpan } from './spans.ts'

type Told = { name: string; attributes: Attributes; status?: number; ended: number }

/** The smallest thing that takes spans. */
function recorder(): Told[] {
  const spans: Told[] = []
  const start = (name: string, options: SpanOptions = {}): Span => {
    const told: Told = { name, attributes: { ...options.attributes }, ended: 0 }
    spans.push(told)
    const span: Span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
      setAttribute: (key, value) => span.setAttributes({ [key]: value }),
      setAttributes: (more) => {
        Object.assign(told.attributes, more)
        return span
      },
      setStatus: ({ code }) => {
        told.status = code
        return span
      },
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      updateName: () => span,
      end: () => {
        told.ended += 1
      },
      isRecording: () => true,
      recordException: () => undefined,
    }
    return span
  }
  const startActiveSpan = (name: string, ...rest: readonly (SpanOptions | Context | ((span: Span) => unknown))[]) => {
    const work = rest.at(-1) as (span: Span) => unknown
    return work(start(name, rest[0] as SpanOptions))
  }
  const tracer = { startSpan: start, startActiveSpan: startActiveSpan as never }
  trace.setGlobalTracerProvider({ getTracer: () => tracer })
  return spans
}

afterEach(() => trace.disable())

const request = { operation: 'workload.read', method: 'GET', requestId: 'r1', headers: {} }
const key = { kind: 'Workload', tenant: 't', name: 'web' }

describe('spans', () => {
  it('go around requests and reconciles, and end once', async () => {
    const spans = recorder()
    expect(await requestSpan(request, async () => 1)).toBe(1)
    expect(await reconcileSpan('rollout', key, async () => 2)).toBe(2)
    expect(spans.map(({ name, ended, status }) => [name, ended, status])).toEqual([
      ['workload.read', 1, undefined],
      ['reconcile rollout', 1, undefined],
    ])
    expect(spans[1]?.attributes).toMatchObject({ 'gantry.tenant': 't', 'gantry.name': 'web' })
  })

  it.each([
    [new Fault('object_not_found', 'hunter2'), 'object_not_found', undefined],
    [new Fault('store_unavailable', 'hunter2'), 'store_unavailable', 2],
    [new TypeError('hunter2'), 'unexpected', 2],
  ])('tell of %s by its reason alone, and rethrow it', async (error, reason, status) => {
    const spans = recorder()
    await expect(requestSpan(request, () => Promise.reject(error))).rejects.toBe(error)
    expect(spans.map((span) => [span.status, span.ended])).toEqual([[status, 1]])
    expect(spans[0]?.attributes['error.type']).toBe(reason)
    expect(JSON.stringify(spans)).not.toContain('hunter2')
  })

  it('cost nothing but the call where nobody takes them', async () => {
    expect(await requestSpan(request, async (span) => span.isRecording())).toBe(false)
  })
})
