/** Pure: the tenant at a glance. */
import type { OfferedProvider } from '@gantry/api'
import { age } from '../../output/age.ts'
import { counted } from '../../output/counted.ts'
import type { Style } from '../../output/style.ts'
import { clean, table } from '../../output/table.ts'
import { wrap } from '../../output/wrap.ts'
import type { Health, HealthWord } from './health.ts'

export type Glance = {
  readonly tenant: string
  readonly server: string
  readonly workloads: readonly Health[]
  readonly providers: readonly OfferedProvider[]
}

export function statusText(
  { tenant, server, workloads, providers }: Glance,
  now: number,
  columns: number,
  style: Style,
): string {
  const paints: Readonly<Record<HealthWord, (text: string) => string>> = {
    ready: style.good,
    degraded: style.bad,
    'not ready': style.bad,
    'rolling out': style.warn,
    paused: style.warn,
    stopped: style.dim,
    leaving: style.dim,
    unknown: style.warn,
  }
  const rows = workloads.map(({ name, state, ready, replicas, release, since }) => [
    name,
    { text: state, paint: paints[state] },
    `${ready ?? '?'}/${replicas}`,
    release === undefined ? '-' : `v${release}`,
    age(since, now),
  ])
  const wrong = [...workloads.flatMap((health) => wrongOf(health, now)), ...providers.flatMap(wrongProvider)]
  const indent = (text: string): string => wrap(text, Math.max(30, columns - 2)).replaceAll('\n', '\n  ')
  const parts = [
    `Tenant ${tenant} at ${server}: ${summary(workloads)}`,
    ...(workloads.length === 0 ? [] : [table(['WORKLOAD', 'STATE', 'READY', 'RELEASE', 'SINCE'], rows).trimEnd()]),
    ...(wrong.length === 0 ? [] : [wrong.map((line) => `${style.bad('!')} ${indent(line)}`).join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

function summary(workloads: readonly Health[]): string {
  if (workloads.length === 0) return 'no workloads yet; "gantry up" starts those of ./gantry.yaml'
  const well = workloads.filter(({ state }) => state === 'ready').length
  return `${counted(workloads.length, 'workload')}, ${well === workloads.length ? (well === 1 ? 'ready' : 'all ready') : `${well} ready`}`
}

function wrongOf({ name, message, since, state }: Health, now: number): string[] {
  if (message === undefined || state === 'leaving') return []
  return [clean(`${name}, since ${age(since, now)}: ${message}`)]
}

function wrongProvider({ name, ready }: OfferedProvider): string[] {
  if (ready === 'True') return []
  return [
    `provider ${name} ${ready === 'Unknown' ? 'could not be looked at' : 'is not ready'}; "gantry describe provider ${name}" says why`,
  ]
}
