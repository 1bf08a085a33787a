import { type Counts, type EdgeTable, failureReasons, latencyBounds } from '@gantry/edge'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../telemetry/metrics.ts'
import { requestFigures } from './request-figures.ts'

const failures = Object.fromEntries(failureReasons.map((reason) => [reason, 0])) as Counts['failures']
const latency = (...counts: number[]) => [...latencyBounds, 0].map((_, at) => counts[at] ?? 0)

const counted = (route: string, workload: string, more: Partial<Counts>) => ({
  route,
  workload,
  slots: [],
  requests: 0,
  answers: [0, 0, 0, 0, 0] as const,
  failures,
  latency: latency(),
  latencySumMs: 0,
  inFlight: 0,
  ...more,
})

const table = {
  routes: [
    { workload: { tenant: 'shop', name: 'web', uid: 'u1' } },
    { workload: { tenant: 'shop', name: 'idle', uid: 'u2' } },
  ],
} as unknown as EdgeTable

const figures = {
  run: 'r',
  table: 1,
  backends: [],
  unrouted: 0,
  routes: [
    counted('one', 'u1', { requests: 3, answers: [0, 2, 0, 0, 1], latency: latency(2, 1), latencySumMs: 3 }),
    counted('two', 'u1', {
      requests: 2,
      answers: [0, 1, 0, 0, 0],
      latency: latency(1),
      latencySumMs: 1,
      failures: { ...failures, nobody: 1 },
    }),
    counted('three', 'u2', {}),
    counted('four', 'gone', { requests: 9, answers: [0, 9, 0, 0, 0] }),
  ],
}

describe('requests to workloads', () => {
  it('are summed up over all routes that lead to one; nothing is said of those without any, or that are gone', () => {
    const all = requestFigures(figures, table)
    expect(all.map(({ workload }) => workload)).toEqual(['web'])
    expect(all[0]).toMatchObject({
      answers: { '1xx': 0, '2xx': 3, '5xx': 1 },
      failures: { nobody: 1, connect: 0 },
      seconds: { count: 4, sum: 0.004 },
    })
    expect(requestFigures(undefined, table)).toEqual([])
  })

  it('are among the metrics, with how long they took', async () => {
    const metrics = createMetrics()
    metrics.watchRequests(() => requestFigures(figures, table))
    const text = await metrics.text()
    const of = 'tenant="shop",workload="web"'
    for (const line of [
      `gantry_workload_requests_total{${of},class="2xx"} 3`,
      `gantry_workload_request_failures_total{${of},reason="nobody"} 1`,
      `gantry_workload_request_seconds_bucket{le="0.001",${of}} 3`,
      `gantry_workload_request_seconds_bucket{le="0.002",${of}} 4`,
      `gantry_workload_request_seconds_count{${of}} 4`,
    ]) {
      expect(text).toContain(line)
    }
  })
})
