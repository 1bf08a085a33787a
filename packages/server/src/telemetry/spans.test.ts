import { Fault } from '@gantry/core'
import { type Attributes, type Context, type Span, type SpanOptions, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { startPlane, workloadOf } from '../testing/plane.ts'
import { openRequestSpan, reconcileSpan, writeSpan } from './spans.ts'

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
  it('go around requests, writes and reconciles, and end once', async () => {
    const spans = recorder()
    const span = openRequestSpan(request)
    expect(span.within(() => 1)).toBe(1)
    span.end(200)
    expect(await writeSpan(2, async () => 2)).toBe(2)
    expect(await reconcileSpan('rollout', key, async () => 3)).toBe(3)
    expect(spans.map(({ name, ended, status }) => [name, ended, status])).toEqual([
      ['workload.read', 1, undefined],
      ['store write', 1, undefined],
      ['reconcile rollout', 1, undefined],
    ])
    expect(spans[0]?.attributes).toMatchObject({ 'gantry.request_id': 'r1', 'http.response.status_code': 200 })
    expect(spans[2]?.attributes).toMatchObject({ 'gantry.tenant': 't', 'gantry.name': 'web' })
  })

  it.each([
    [new Fault('object_not_found', 'hunter2'), 'object_not_found', undefined],
    [new Fault('store_unavailable', 'hunter2'), 'store_unavailable', 2],
    [new TypeError('hunter2'), 'unexpected', 2],
  ])('tell of %s by its reason alone, and rethrow it', async (error, reason, status) => {
    const spans = recorder()
    const asked = openRequestSpan(request)
    asked.failed(error)
    asked.end(500)
    await expect(writeSpan(1, () => Promise.reject(error))).rejects.toBe(error)
    expect(spans.map((span) => [span.status, span.ended])).toEqual([
      [status, 1],
      [status, 1],
    ])
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([reason, reason])
    expect(JSON.stringify(spans)).not.toContain('hunter2')
  })

  it('are made by a server around what it is asked and what it writes', async () => {
    const spans = recorder()
    const plane = await startPlane()
    await plane.client.tenant('default').workloads.put(workloadOf('traced'))
    await plane.send('GET', '/v1/tenants/default/workloads/none', { token: (await plane.system()).token })
    await plane.dispose()
    const named = (name: string) => spans.find((span) => span.name === name)
    expect(named('workload.put')).toMatchObject({ ended: 1, attributes: { 'http.response.status_code': 201 } })
    expect(named('store write')).toMatchObject({ ended: 1 })
    expect(named('workload.read')?.attributes).toMatchObject({ 'error.type': 'object_not_found' })
    expect(spans.every(({ ended }) => ended === 1)).toBe(true)
  })

  it('cost nothing but the call where nobody takes them', async () => {
    expect(await reconcileSpan('rollout', key, async (span) => span.isRecording())).toBe(false)
  })
})
