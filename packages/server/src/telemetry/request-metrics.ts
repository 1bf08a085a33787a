/** Requests to workloads, as the edge has counted them. Its counters begin anew with every run of it, as counters may. */
import { Counter, type Registry } from 'prom-client'
import { GivenHistogram } from './given-histogram.ts'
import { mostWorkloads } from './workload-metrics.ts'

export type RequestFigures = {
  readonly tenant: string
  readonly workload: string
  /** Answers of its replicas by class: `2xx` and so on. */
  readonly answers: Readonly<Record<string, number>>
  /** Requests that got no answer of a replica, by why. */
  readonly failures: Readonly<Record<string, number>>
  /** How long answers took, until their end. */
  readonly seconds: {
    readonly count: number
    readonly sum: number
    readonly buckets: readonly { readonly below: number; readonly count: number }[]
  }
}

export type RequestSources = ReadonlySet<() => readonly RequestFigures[]>

export function requestMetrics(registers: Registry[], sources: RequestSources): void {
  const bounded = (): RequestFigures[] => [...sources].flatMap((read) => read()).slice(0, mostWorkloads)
  const answers = new Counter({
    name: 'gantry_workload_requests_total',
    help: 'Requests through the edge that a replica has answered, by the class of the answer',
    labelNames: ['tenant', 'workload', 'class'],
    registers,
    collect: () => {
      // What is gone has no figures any more.
      answers.reset()
      for (const { tenant, workload, answers: counted } of bounded()) {
        for (const [name, count] of Object.entries(counted)) answers.inc({ tenant, workload, class: name }, count)
      }
    },
  })
  const failures = new Counter({
    name: 'gantry_workload_request_failures_total',
    help: 'Requests through the edge that no replica has answered, by why; client: it went away first',
    labelNames: ['tenant', 'workload', 'reason'],
    registers,
    collect: () => {
      failures.reset()
      for (const { tenant, workload, failures: counted } of bounded()) {
        for (const [reason, count] of Object.entries(counted)) failures.inc({ tenant, workload, reason }, count)
      }
    },
  })
  new GivenHistogram({
    name: 'gantry_workload_request_seconds',
    help: 'How long replicas took to answer requests through the edge, until the end of the answer',
    labelNames: ['tenant', 'workload'],
    registers,
    read: () => bounded().map(({ tenant, workload, seconds }) => ({ labels: { tenant, workload }, ...seconds })),
  })
}
