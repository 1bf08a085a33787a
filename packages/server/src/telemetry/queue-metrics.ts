/** The figures of work queues, which count by themselves. */
import type { QueueMetrics } from '@gantry/reconcile'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Counted, GivenHistogram } from './given-histogram.ts'

type Queues = ReadonlyMap<string, () => QueueMetrics>
type NumberField = { [Key in keyof QueueMetrics]: QueueMetrics[Key] extends number ? Key : never }[keyof QueueMetrics]
type Figure = { readonly help: string; readonly read: (queue: QueueMetrics) => number }

const gauges: Readonly<Record<string, Figure>> = {
  gantry_queue_depth: { help: 'Keys that wait for a worker', read: of('depth') },
  gantry_queue_delayed: { help: 'Keys with a delay that has not run out', read: of('delayed') },
  gantry_queue_running: { help: 'Keys that are being worked on', read: of('running') },
  gantry_queue_oldest_seconds: { help: 'How long the longest has waited', read: seconds('oldestAgeMs') },
  gantry_queue_longest_running_seconds: {
    help: 'How long the longest is being worked on',
    read: seconds('longestRunningMs'),
  },
}

const counters: Readonly<Record<string, Figure>> = {
  gantry_queue_adds_total: { help: 'Keys that were queued, without duplicates', read: of('queued') },
  gantry_queue_retries_total: { help: 'Keys that were queued again after a failure', read: of('retries') },
}

export function queueMetrics(registers: Registry[], queues: Queues): void {
  const labelNames = ['controller'] as const
  const each = (use: (labels: { controller: string }, queue: QueueMetrics) => void): void => {
    for (const [controller, read] of queues) use({ controller }, read())
  }
  for (const [name, { help, read }] of Object.entries(gauges)) {
    const gauge = new Gauge({ name, help, labelNames, registers, collect: () => collect() })
    const collect = (): void => each((labels, queue) => gauge.set(labels, read(queue)))
  }
  for (const [name, { help, read }] of Object.entries(counters)) {
    const counter = new Counter({ name, help, labelNames, registers, collect: () => collect() })
    const collect = (): void => {
      // They are totals already, so they replace what was there.
      counter.reset()
      each((labels, queue) => counter.inc(labels, read(queue)))
    }
  }
  const durations = { gantry_queue_wait_seconds: 'latency', gantry_queue_work_seconds: 'work' } as const
  for (const [name, field] of Object.entries(durations)) {
    const help = field === 'latency' ? 'From being queued to being taken' : 'From being taken to being done'
    const read = (): Counted[] => [...queues].map(([controller, queue]) => counted({ controller }, queue()[field]))
    new GivenHistogram({ name, help, labelNames, registers, read })
  }
}

/** Bucket n holds what took less than 2^n ms; the last one has no bound. */
function counted(labels: { controller: string }, { count, totalMs, buckets }: QueueMetrics['latency']): Counted {
  const bounded = buckets.slice(0, -1).map((value, n) => ({ below: 2 ** n / 1000, count: value }))
  return { labels, count, sum: totalMs / 1000, buckets: bounded }
}

function of(field: NumberField): Figure['read'] {
  return (queue) => queue[field]
}

function seconds(field: NumberField): Figure['read'] {
  return (queue) => queue[field] / 1000
}
