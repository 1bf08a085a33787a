/** What is asked of a workload, how one sees that it was asked, and what shall come of it. */
import type { Client } from '@gantry/api'
import { isFault, type ObjectOf, type StrategyType, strategyTypes } from '@gantry/core'
import type { Ground } from './ground.ts'

export type ActionName =
  | 'create'
  | 'scale up'
  | 'scale down'
  | 'stop'
  | 'start'
  | `deploy ${StrategyType}`
  | `rollback ${StrategyType}`
  | 'delete'

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
}

export type Action = {
  readonly name: ActionName
  /** Of what was wanted until now, what is wanted from now on. */
  readonly wants: (until: Wanted) => Wanted
  /** Asking again for what is so already does no harm. */
  readonly ask: (of: Asked, name: string, wanted: Wanted) => Promise<unknown>
}

/** Who is asked, and what a workload is like there. */
export type Asked = { readonly client: Client } & Pick<Ground, 'web' | 'volumes'>

export const nothing: Wanted = { exists: false, replicas: 0, run: 'stopped', releases: 0, release: 0, before: 0 }
/** What requests are answered with. */
export const saysOf = ({ release }: Wanted): string => `v${release}`
export const secretName = 'harness'

const few = 2
const more = 3

const strategies: Record<StrategyType, object> = {
  rolling: { type: 'rolling', maxSurge: 1, maxUnavailable: 0 },
  recreate: { type: 'recreate' },
  blue_green: { type: 'blue_green' },
  canary: { type: 'canary', steps: [{ weight: 50, pauseSeconds: 0 }] },
}

/** With all that leaves something behind: a secret in the environment and as a file, a config file, volumes. */
const belongings = {
  secrets: [
    { name: secretName, key: 'word', env: 'WORD' },
    { name: secretName, key: 'word', file: '/secret/word' },
  ],
  configFiles: [{ name: 'settings', path: '/settings.txt', content: 'of the harness' }],
  volumes: [
    { name: 'kept', path: '/kept', type: 'persistent' as const, retain: false },
    { name: 'passing', path: '/passing', type: 'ephemeral' as const },
  ],
}

function harnessWorkload({ web, volumes }: Pick<Ground, 'web' | 'volumes'>, name: string, wanted: Wanted) {
  const passing = belongings.volumes.filter(({ type }) => type === 'ephemeral')
  const own = { ...belongings, ...(volumes === 'passing only' && { volumes: passing }) }
  const env = { SAYS: saysOf(wanted) }
  const workload = web({ name, env, replicas: wanted.replicas, strategy: strategies.rolling })
  const services = workload.spec.services.map((service) => ({ ...service, ...own }))
  return { ...workload, spec: { ...workload.spec, services, stopGraceSeconds: 5 } }
}

const of = ({ client }: Pick<Asked, 'client'>) => client.tenant('default').workloads

const create: Action = {
  name: 'create',
  wants: () => ({ exists: true, replicas: few, run: 'running', releases: 1, release: 1, before: 1 }),
  ask: (asked, name, wanted) => of(asked).put(harnessWorkload(asked, name, wanted)),
}

const remove: Action = {
  name: 'delete',
  wants: () => nothing,
  ask: (asked, name) =>
    of(asked)
      .delete(name)
      .catch((error: unknown) => {
        if (!isFault(error, 'not_found')) throw error
      }),
}

const scale = (name: 'scale up' | 'scale down', replicas: number): Action => ({
  name,
  wants: (until) => ({ ...until, replicas }),
  ask: (asked, workload) => of(asked).scale(workload, { replicas }),
})

const deploy = (strategy: StrategyType): Action => ({
  name: `deploy ${strategy}`,
  wants: (until) => ({
    ...until,
    releases: until.releases + 1,
    release: until.releases + 1,
    before: until.release,
  }),
  ask: (asked, name, wanted) =>
    of(asked).deploy(name, {
      services: [{ name: 'web', env: { SAYS: saysOf(wanted) } }],
      strategy: { ...strategies[strategy], minReadySeconds: 0 },
    }),
})

const rollback = (strategy: StrategyType): Action => ({
  name: `rollback ${strategy}`,
  wants: (until) => ({ ...until, release: until.before }),
  ask: (asked, name, { release }) => of(asked).rollback(name, { to: release }),
})

/** The second undoes the first, so that both can be done again and again. */
export type Pair = readonly [Action, Action]

export const outer: Pair = [create, remove]

export const inner: readonly Pair[] = [
  [scale('scale up', more), scale('scale down', few)],
  [
    { name: 'stop', wants: (until) => ({ ...until, run: 'stopped' }), ask: (asked, name) => of(asked).stop(name) },
    { name: 'start', wants: (until) => ({ ...until, run: 'running' }), ask: (asked, name) => of(asked).start(name) },
  ],
  ...strategyTypes.map((strategy): Pair => [deploy(strategy), rollback(strategy)]),
]

/** Whether the spec says so; `undefined`: there is no workload. */
export function isAsked(workload: ObjectOf<'Workload'> | undefined, wanted: Wanted): boolean {
  if (!workload || workload.metadata.deletionRequestedAt !== undefined) return !wanted.exists
  if (!wanted.exists) return false
  const { spec } = workload
  const says = spec.services[0]?.env.SAYS
  return spec.replicas === wanted.replicas && spec.run === wanted.run && says === saysOf(wanted)
}
