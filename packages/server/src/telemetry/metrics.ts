/** Figures for Prometheus: what is counted here, and what other parts count by themselves. */
import type { QueueMetrics } from '@gantry/reconcile'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { GivenHistogram } from './given-histogram.ts'
import { queueMetrics } from './queue-metrics.ts'
import { type RequestFigures, requestMetrics } from './request-metrics.ts'
import { Timings } from './timings.ts'
import { type WorkloadFigures, workloadMetrics } from './workload-metrics.ts'

export type HttpAnswer = {
  /** The operation of the endpoint, never a path: paths have no end. */
  readonly operation: string
  readonly status: number
  readonly ms: number
}

export type StoreAnswer = { readonly method: string; readonly outcome: 'done' | 'refused'; readonly ms: number }

export interface Metrics {
  /** A request was answered. */
  answered(answer: HttpAnswer): void
  /** The store has answered. */
  stored(answer: StoreAnswer): void
  /** From now on the queue of this controller is asked for its figures whenever somebody looks. */
  watchQueue(controller: string, read: () => QueueMetrics): void
  /** From now on these are asked for the figures of workloads whenever somebody looks. */
  watchWorkloads(read: () => readonly WorkloadFigures[]): void
  /** Likewise, for the requests that were sent to them. */
  watchRequests(read: () => readonly RequestFigures[]): void
  /** The text of `GET /metrics`. */
  text(): Promise<string>
  readonly contentType: string
}

export type MetricsOptions = {
  /** Memory, handles, event loop and collector of the whole process: for a server, which is all of its process. */
  readonly process?: boolean
}

const httpSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const storeSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export function createMetrics({ process = false }: MetricsOptions = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (process) collectDefaultMetrics({ register: registry })
  const answers = new Map<string, { readonly labels: { operation: string; status: number }; count: number }>()
  const requests = new Counter({
    name: 'gantry_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['operation', 'status'],
    registers,
    collect: () => {
      requests.reset()
      for (const { labels, count } of answers.values()) requests.inc(labels, count)
    },
  })
  const requestSeconds = new Timings(httpSeconds)
  new GivenHistogram({
    name: 'gantry_http_request_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames: ['operation'],
    registers,
    read: () => requestSeconds.read(),
  })
  const storeAnswers = new Timings(storeSeconds)
  new GivenHistogram({
    name: 'gantry_store_seconds',
    help: 'How long the store took to answer',
    labelNames: ['method', 'outcome'],
    registers,
    read: () => storeAnswers.read(),
  })
  const queues = new Map<string, () => QueueMetrics>()
  queueMetrics(registers, queues)
  const workloads = new Set<() => readonly WorkloadFigures[]>()
  workloadMetrics(registers, workloads)
  const sent = new Set<() => readonly RequestFigures[]>()
  requestMetrics(registers, sent)
  return {
    answered: ({ operation, status, ms }) => {
      const id = `${operation} ${status}`
      const answer = answers.get(id) ?? { labels: { operation, status }, count: 0 }
      answer.count += 1
      answers.set(id, answer)
      requestSeconds.observe(operation, () => ({ operation }), ms / 1000)
    },
    stored: ({ method, outcome, ms }) =>
      storeAnswers.observe(`${method} ${outcome}`, () => ({ method, outcome }), ms / 1000),
    watchQueue: (controller, read) => queues.set(controller, read),
    watchWorkloads: (read) => workloads.add(read),
    watchRequests: (read) => sent.add(read),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
