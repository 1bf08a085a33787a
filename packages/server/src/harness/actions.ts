/** What can be asked of a workload, how one sees that it was asked, and what shall come of it. */
import type { Client } from '@gantry/api'
import { isFault, type ObjectOf, type StrategyType } from '@gantry/core'
import type { Ground } from './ground.ts'

export type ActionName = OfWeb | OfSet

type OfWeb =
  | 'create'
  | 'scale up'
  | 'scale down'
  | 'stop'
  | 'start'
  | `deploy ${StrategyType}`
  | `rollback ${StrategyType}`
  | 'delete'

/** Two replicas of a set never run at once, so it has two strategies. */
type SetStrategy = Extract<StrategyType, 'rolling' | 'recreate'>

type OfSet =
  | 'create set'
  | 'scale set up'
  | 'scale set down'
  | 'stop set'
  | 'start set'
  | `deploy set ${SetStrategy}`
  | `rollback set ${SetStrategy}`
  | 'delete set'
  | 'create set again'
  | 'delete set and volumes'

/** What a person wants by now. */
export type Wanted = {
  readonly exists: boolean
  readonly replicas: number
  readonly run: 'running' | 'stopped'
  /** How many releases were made; each says another thing. */
  readonly releases: number
  /** The one of them that runs, and the one that ran before it. */
  readonly release: number
  readonly before: number
  /** How many there are of each volume that outlives a replica. */
  readonly volumes: Readonly<Record<string, number>>
}

export type Action = {
  readonly name: ActionName
  /** Of what was wanted until now, what is wanted from now on. */
  readonly wants: (until: Wanted) => Wanted
  /** Asking again for what is so already does no harm. */
  readonly ask: (of: Asked, name: string, wanted: Wanted) => Promise<unknown>
}

/** The second undoes the first, so that both can be done again and again. */
export type Pair = readonly [Action, Action]

/** Who is asked, and what a workload is like there. */
export type Asked = { readonly client: Client } & Pick<Ground, 'web' | 'volumes'>

export const nothing: Wanted = {
  exists: false,
  replicas: 0,
  run: 'stopped',
  releases: 0,
  release: 0,
  before: 0,
  volumes: {},
}
export const few = 2
export const more = 3

/** A workload as it is when it was just made. */
export const made: Wanted = {
  ...nothing,
  exists: true,
  replicas: few,
  run: 'running',
  releases: 1,
  release: 1,
  before: 1,
}

/** What requests are answered with. */
export const saysOf = ({ release }: Wanted): string => `v${release}`

export const workloadsOf = ({ client }: Pick<Asked, 'client'>) => client.tenant('default').workloads

/** Where it is gone already, that is what was asked for. */
export const removal = (name: ActionName, volumes: boolean, wants: Action['wants']): Action => ({
  name,
  wants,
  ask: (asked, workload) =>
    workloadsOf(asked)
      .delete(workload, { volumes })
      .catch((error: unknown) => {
        if (!isFault(error, 'not_found')) throw error
      }),
})

/** Who has fewer replicas keeps the volumes of those that went. */
export const scale = (name: ActionName, replicas: number): Action => ({
  name,
  wants: (until) => ({
    ...until,
    replicas,
    volumes: Object.fromEntries(Object.entries(until.volumes).map(([each, had]) => [each, Math.max(had, replicas)])),
  }),
  ask: (asked, workload) => workloadsOf(asked).scale(workload, { replicas }),
})

export const stop = (name: ActionName): Action => ({
  name,
  wants: (until) => ({ ...until, run: 'stopped' }),
  ask: (asked, workload) => workloadsOf(asked).stop(workload),
})

export const start = (name: ActionName): Action => ({
  name,
  wants: (until) => ({ ...until, run: 'running' }),
  ask: (asked, workload) => workloadsOf(asked).start(workload),
})

export const deploy = (name: ActionName, strategy: object): Action => ({
  name,
  wants: (until) => ({
    ...until,
    releases: until.releases + 1,
    release: until.releases + 1,
    before: until.release,
  }),
  ask: (asked, workload, wanted) =>
    workloadsOf(asked).deploy(workload, {
      services: [{ name: 'web', env: { SAYS: saysOf(wanted) } }],
      strategy: { ...strategy, minReadySeconds: 0 },
    }),
})

export const rollback = (name: ActionName): Action => ({
  name,
  wants: (until) => ({ ...until, release: until.before }),
  ask: (asked, workload, { release }) => workloadsOf(asked).rollback(workload, { to: release }),
})

/** Whether the spec says so; `undefined`: there is no workload. */
export function isAsked(workload: ObjectOf<'Workload'> | undefined, wanted: Wanted): boolean {
  if (!workload || workload.metadata.deletionRequestedAt !== undefined) return !wanted.exists
  if (!wanted.exists) return false
  const { spec } = workload
  const says = spec.services[0]?.env.SAYS
  return spec.replicas === wanted.replicas && spec.run === wanted.run && says === saysOf(wanted)
}
