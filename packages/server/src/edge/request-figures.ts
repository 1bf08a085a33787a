/** Pure: what the edge has counted for each route, summed up by the workload that the route leads to. */
import { type Counts, type EdgeFigures, type EdgeTable, latencyBounds } from '@gantry/edge'
import type { RequestFigures } from '../telemetry/request-metrics.ts'

/** Of the workloads that the table in force names; those that nobody ever asked for anything have no line. */
export function requestFigures(
  figures: EdgeFigures | undefined,
  { routes }: Pick<EdgeTable, 'routes'>,
): RequestFigures[] {
  const names = new Map(routes.map(({ workload }) => [workload.uid, workload]))
  const sums = new Map<string, Counts>()
  for (const route of figures?.routes ?? []) {
    const sum = sums.get(route.workload)
    sums.set(route.workload, sum ? added(sum, route) : route)
  }
  return [...sums].flatMap(([uid, counts]) => {
    const named = names.get(uid)
    return named && counts.requests > 0 ? [figuresOf(named, counts)] : []
  })
}

function added(left: Counts, right: Counts): Counts {
  return {
    requests: left.requests + right.requests,
    answers: left.answers.map((count, at) => count + (right.answers[at] ?? 0)) as unknown as Counts['answers'],
    failures: Object.fromEntries(
      Object.entries(left.failures).map(([reason, count]) => [
        reason,
        count + right.failures[reason as keyof Counts['failures']],
      ]),
    ) as Counts['failures'],
    latency: left.latency.map((count, at) => count + (right.latency[at] ?? 0)),
    latencySumMs: left.latencySumMs + right.latencySumMs,
    inFlight: left.inFlight + right.inFlight,
  }
}

function figuresOf(
  { tenant, name }: { readonly tenant: string; readonly name: string },
  counts: Counts,
): RequestFigures {
  const { answers, failures, latency, latencySumMs } = counts
  return {
    tenant,
    workload: name,
    answers: Object.fromEntries(answers.map((count, at) => [`${at + 1}xx`, count])),
    failures,
    seconds: {
      count: latency.reduce((sum, count) => sum + count, 0),
      sum: latencySumMs / 1000,
      buckets: latencyBounds.map((below, at) => ({ below: below / 1000, count: latency[at] ?? 0 })),
    },
  }
}
