/** Pure: replicas as a table, and for programs. */
import type { EndpointStatus, ObjectOf, ReplicaStatus } from '@gantry/core'
import { age } from '../../output/age.ts'
import type { Style } from '../../output/style.ts'
import { type Cell, table } from '../../output/table.ts'
import { replicaSight } from '../../progress/sight.ts'

type Instance = ObjectOf<'Instance'>

/** A replica with where it belongs; the shape of `-o json`. */
export type ReplicaItem = ReplicaStatus & {
  readonly workload: string
  readonly slot: string
  readonly provider: string
  /** Why nothing is known of it now; the rest is then how it was before. */
  readonly blind?: NonNullable<Instance['status']['blind']>
}

export function replicaItems(instances: readonly Instance[]): ReplicaItem[] {
  return instances
    .toSorted((one, other) =>
      compare(`${one.spec.workload} ${one.spec.slot}`, `${other.spec.workload} ${other.spec.slot}`),
    )
    .flatMap(({ spec: { workload, slot, provider }, status: { replicas = [], blind } }) =>
      replicas.map((replica) => ({ workload, slot, provider, ...replica, ...(blind && { blind }) })),
    )
}

export function replicaTable(items: readonly ReplicaItem[], wide: boolean, now: number, style: Style): string {
  const more = wide ? ['PROVIDER', 'ENGINE ID', 'SERVICES'] : []
  const titles = ['WORKLOAD', 'REPLICA', 'RELEASE', 'STATE', 'RESTARTS', 'SINCE', 'ENDPOINT', ...more]
  return table(
    titles,
    items.map((item) => row(item, wide, now, style)),
  )
}

function row(item: ReplicaItem, wide: boolean, now: number, style: Style): Cell[] {
  const { place, release, mood, state, since } = replicaSight(item.slot, item, item.blind !== undefined)
  const restarts = Object.values(item.services).reduce((sum, one) => sum + one.restarts, 0)
  const paint = { good: style.good, bad: style.bad, busy: style.warn, unknown: style.warn }[mood]
  const endpoints = item.endpoints.map((endpoint) => `${endpoint.port} ${dialText(endpoint)}`)
  const services = Object.entries(item.services).map(([name, { phase }]) => `${name} ${phase}`)
  return [
    item.workload,
    place,
    release,
    { text: state, paint },
    String(restarts),
    age(item.blind?.since ?? since, now),
    (wide ? endpoints.join(', ') : endpoints[0]) ?? '-',
    ...(wide ? [item.provider, item.engineId, services.join(', ')] : []),
  ]
}

/** What cannot be dialled from the server is marked: `gantry port-forward` goes there. */
function dialText({ dial, via }: EndpointStatus): string {
  const address = 'unix' in dial ? dial.unix : `${dial.host.includes(':') ? `[${dial.host}]` : dial.host}:${dial.port}`
  return via === 'tunnel' ? `${address} (tunnel)` : address
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
