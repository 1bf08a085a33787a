/** What a person reads of a workload: the conditions that `get` and `describe` show, and what is known of its replicas. */
import type { Client, ReplicaList } from '@gantry/api'
import type { ObjectOf } from '@gantry/core'
import { type UntilOptions, until } from './until.ts'

export type Said = {
  /** Each as `status reason message`. */
  readonly Ready: string
  readonly Progressing: string
  readonly Degraded: string
  readonly since: Readonly<Record<string, string>>
  readonly workload: ObjectOf<'Workload'>
  readonly replicas: ReplicaList
}

export async function said(client: Client, name: string): Promise<Said> {
  const { workloads } = client.tenant('default')
  const [workload, replicas] = [await workloads.get(name), await workloads.replicas(name)]
  const conditions = workload.status.conditions ?? []
  const words = (type: string): string => {
    const found = conditions.find((condition) => condition.type === type)
    return found ? `${found.status} ${found.reason} ${found.message}` : 'nothing is said'
  }
  const since = Object.fromEntries(conditions.map((condition) => [condition.type, condition.since ?? '']))
  const [Ready, Progressing, Degraded] = [words('Ready'), words('Progressing'), words('Degraded')]
  return { Ready, Progressing, Degraded, since, workload, replicas }
}

/** Looks until it is said. */
export async function untilSaid(
  client: Client,
  name: string,
  type: 'Ready' | 'Progressing' | 'Degraded',
  sentence: RegExp,
  options: UntilOptions = {},
): Promise<Said> {
  return await until(
    `${type} of ${name} to say ${sentence}`,
    () => said(client, name),
    (seen) => sentence.test(seen[type]),
    options,
  )
}

/** Since when is a time, of this test and no later than now. */
export function expectSince({ since }: Said, type: string, begun: number): void {
  const at = Date.parse(since[type] ?? '')
  if (at >= begun && at <= Date.now()) return
  throw new Error(`${type} is so since ${since[type]}; this began at ${new Date(begun).toISOString()}`)
}
