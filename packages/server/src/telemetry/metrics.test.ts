import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import type { QueueMetrics } from '@gantry/reconcile'
import { openStore, systemScope } from '@gantry/store'
import { describe, expect, it } from 'vitest'
import { measuredStore } from './measured-store.ts'
import { createMetrics, type StoreAnswer } from './metrics.ts'

const call = { signal: new AbortController().signal }
const idle = { count: 0, totalMs: 0, maxMs: 0, buckets: Array<number>(25).fill(0) }

const queue = (more: Partial<QueueMetrics>): QueueMetrics => ({
  depth: 0,
  delayed: 0,
  running: 0,
  oldestAgeMs: 0,
  longestRunningMs: 0,
  queued: 0,
  retries: 0,
  latency: idle,
  work: idle,
  ...more,
})

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name))

describe('the figures', () => {
  it('count requests by operation and status, with how long they took', async () => {
    const metrics = createMetrics()
    metrics.answered({ operation: 'workload.read', status: 200, ms: 3 })
    metrics.answered({ operation: 'workload.read', status: 404, ms: 30 })
    expect(await linesOf(metrics, 'gantry_http_requests_total')).toEqual([
      'gantry_http_requests_total{operation="workload.read",status="200"} 1',
      'gantry_http_requests_total{operation="workload.read",status="404"} 1',
    ])
    const lines = await linesOf(metrics, 'gantry_http_request_seconds')
    expect(lines).toContain('gantry_http_request_seconds_bucket{le="0.005",operation="workload.read"} 1')
    expect(lines).toContain('gantry_http_request_seconds_sum{operation="workload.read"} 0.033')
  })

  it('ask each queue when somebody looks, and not before', async () => {
    const metrics = createMetrics()
    let now = queue({ depth: 3, queued: 10, oldestAgeMs: 1500 })
    metrics.watchQueue('rollout', () => now)
    metrics.watchQueue('route', () => queue({ depth: 1 }))
    expect(await linesOf(metrics, 'gantry_queue_depth')).toEqual([
      'gantry_queue_depth{controller="rollout"} 3',
      'gantry_queue_depth{controller="route"} 1',
    ])
    expect(await linesOf(metrics, 'gantry_queue_oldest_seconds{controller="rollout"')).toEqual([
      'gantry_queue_oldest_seconds{controller="rollout"} 1.5',
    ])
    now = queue({ queued: 12 })
    expect(await linesOf(metrics, 'gantry_queue_adds_total{controller="rollout"')).toEqual([
      'gantry_queue_adds_total{controller="rollout"} 12',
    ])
  })

  it('show the durations of a queue as a histogram whose buckets add up', async () => {
    const metrics = createMetrics()
    const buckets = [...idle.buckets]
    buckets[0] = 2
    buckets[2] = 5
    buckets[24] = 1
    metrics.watchQueue('rollout', () => queue({ work: { count: 8, totalMs: 1000, maxMs: 900, buckets } }))
    expect(await metrics.text()).toContain('# TYPE gantry_queue_work_seconds histogram')
    const lines = await linesOf(metrics, 'gantry_queue_work_seconds')
    const counts = lines.filter((line) => line.includes('_bucket')).map((line) => Number(line.split(' ').at(-1)))
    expect(counts).toEqual([2, 2, ...Array<number>(22).fill(7), 8])
    expect(lines).toContain('gantry_queue_work_seconds_bucket{le="0.004",controller="rollout"} 7')
    expect(lines.slice(-2)).toEqual([
      'gantry_queue_work_seconds_sum{controller="rollout"} 1',
      'gantry_queue_work_seconds_count{controller="rollout"} 8',
    ])
  })

  it('are their own for each server in a process, and tell of the process where that is asked for', async () => {
    createMetrics().answered({ operation: 'a', status: 200, ms: 1 })
    expect(await linesOf(createMetrics(), 'gantry_http_requests_total')).toEqual([])
    expect(await linesOf(createMetrics(), 'process_')).toEqual([])
    expect(await linesOf(createMetrics({ process: true }), 'process_resident_memory_bytes')).toHaveLength(1)
  })
})

describe('a store that is measured', () => {
  it('answers as the store does, and tells how long it took', async () => {
    const store = await openStore({ database: 'sqlite::memory:' }, call)
    const told: StoreAnswer[] = []
    const measured = measuredStore(store, { stored: (answer) => told.push(answer) }, new VirtualClock())
    const key = { kind: 'Thing', tenant: 't', name: 'a' }
    const scope = systemScope()
    await measured.write(scope, [{ op: 'create', draft: { key, spec: 1 } }], {}, call)
    expect((await measured.read(scope, key, call))?.spec).toBe(1)
    const twice = measured.write(scope, [{ op: 'create', draft: { key, spec: 1 } }], {}, call)
    await expect(twice).rejects.toBeInstanceOf(Fault)
    expect(told.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual([
      'write done',
      'read done',
      'write refused',
    ])
    await measured.close()
    await expect(store.read(scope, key, call)).rejects.toEqual(expect.objectContaining({ reason: 'store_closed' }))
  })
})
