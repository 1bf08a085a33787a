/** What a life can consist of: that of a workload whose replicas come and go, and that of a set whose replicas have volumes. */
import { type StrategyType, strategyTypes, type VolumeSpec } from '@gantry/core'
import {
  type Action,
  type ActionName,
  deploy,
  few,
  made,
  more,
  nothing,
  type Pair,
  removal,
  rollback,
  saysOf,
  scale,
  start,
  stop,
  type Wanted,
  workloadsOf,
} from './actions.ts'
import type { Ground, GroundName } from './ground.ts'

export const secretName = 'harness'

/** Made and removed by the outer pair; all others can be done in between, in any order. */
export type KindOfLife = { readonly outer: Pair; readonly inner: readonly Pair[] }

const strategies: Record<StrategyType, object> = {
  rolling: { type: 'rolling', maxSurge: 1, maxUnavailable: 0 },
  recreate: { type: 'recreate' },
  blue_green: { type: 'blue_green' },
  canary: { type: 'canary', steps: [{ weight: 50, pauseSeconds: 0 }] },
}
const oneByOne = { type: 'rolling', maxSurge: 0, maxUnavailable: 1 }

/** All that leaves something behind: a secret in the environment and as a file, a config file. */
const belongings = {
  secrets: [
    { name: secretName, key: 'word', env: 'WORD' },
    { name: secretName, key: 'word', file: '/secret/word' },
  ],
  configFiles: [{ name: 'settings', path: '/settings.txt', content: 'of the harness' }],
}
type Volume = Pick<VolumeSpec, 'name' | 'path' | 'type'> & { readonly retain?: boolean }

const passing: Volume = { name: 'passing', path: '/passing', type: 'ephemeral' }
const going: Volume = { name: 'going', path: '/going', type: 'persistent', retain: false }
const kept: Volume = { name: 'kept', path: '/kept', type: 'persistent', retain: true }

type Like = Pick<Ground, 'web'> & { readonly name: string; readonly wanted: Wanted; readonly strategy: object }

function workloadLike(
  { web, name, wanted, strategy }: Like,
  volumes: readonly Volume[],
  type: 'deployment' | 'stateful_set',
) {
  const workload = web({ name, env: { SAYS: saysOf(wanted) }, replicas: wanted.replicas, strategy })
  const services = workload.spec.services.map((service) => ({
    ...service,
    ...belongings,
    // What is slow on a busy machine is no release that failed.
    healthCheck: { ...service.healthCheck, timeoutSeconds: 5, startSeconds: 120 },
    volumes: [...volumes],
  }))
  return { ...workload, spec: { ...workload.spec, type, services, stopGraceSeconds: 5 } }
}

/** Where its successor runs beside a replica for a while, the two cannot share a volume that is one replica's alone. */
const webCreate: Action = {
  name: 'create',
  wants: () => made,
  ask: (asked, name, wanted) => {
    const volumes = asked.volumes === 'passing only' ? [passing] : [{ ...kept, retain: false }, passing]
    return workloadsOf(asked).put(
      workloadLike({ ...asked, name, wanted, strategy: strategies.rolling }, volumes, 'deployment'),
    )
  },
}

const web: KindOfLife = {
  outer: [webCreate, removal('delete', false, () => nothing)],
  inner: [
    [scale('scale up', more), scale('scale down', few)],
    [stop('stop'), start('start')],
    ...strategyTypes.map((type): Pair => [deploy(`deploy ${type}`, strategies[type]), rollback(`rollback ${type}`)]),
  ],
}

const setCreate = (name: 'create set' | 'create set again'): Action => ({
  name,
  wants: ({ volumes }) => ({ ...made, volumes: { kept: Math.max(volumes.kept ?? 0, few), going: few } }),
  ask: (asked, workload, wanted) =>
    workloadsOf(asked).put(
      workloadLike({ ...asked, name: workload, wanted, strategy: oneByOne }, [kept, going, passing], 'stateful_set'),
    ),
})

const set: KindOfLife = {
  outer: [setCreate('create set'), removal('delete set and volumes', true, () => nothing)],
  inner: [
    [scale('scale set up', more), scale('scale set down', few)],
    [stop('stop set'), start('start set')],
    [deploy('deploy set rolling', oneByOne), rollback('rollback set rolling')],
    [deploy('deploy set recreate', strategies.recreate), rollback('rollback set recreate')],
    [
      removal('delete set', false, ({ volumes }) => ({ ...nothing, volumes: { kept: volumes.kept ?? 0 } })),
      setCreate('create set again'),
    ],
  ],
}

/** The first is led on every ground. */
export const kindsOfLife: readonly [KindOfLife, ...KindOfLife[]] = [web, set]

/** Only where there is somebody to tell which volumes there are. */
export const livesOn: Record<GroundName, readonly KindOfLife[]> = {
  local: [web],
  docker: [web],
  kubernetes: [web, set],
}

export const actionsOf = ({ outer: [first, last], inner }: KindOfLife): readonly Action[] => [
  first,
  ...inner.flat(),
  last,
]

export const namesIn = (kinds: readonly KindOfLife[]): readonly ActionName[] =>
  kinds.flatMap(actionsOf).map(({ name }) => name)
