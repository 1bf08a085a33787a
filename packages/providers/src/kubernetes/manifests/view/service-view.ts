/** Pure: one object of a set as a service of its one replica. */
import type { ServiceRole } from '@gantry/core'
import type { ServiceObserved, ServicePhase, Stall } from '../../../observed.ts'
import { apiVersionOf } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { textAt } from '../fields.ts'
import { unusedClaim } from '../health/claims.ts'
import { createdAt } from '../health/conditions.ts'
import { healthOf } from '../health/health.ts'
import { makerTrouble, podsOf, podTrouble, type RoomOf, restartsOf } from '../health/pods.ts'
import { type Health, isWell, waiting } from '../health/verdict.ts'
import { startedAt } from '../health/workloads.ts'
import { kindKey, makesPods } from '../kinds.ts'
import type { Entry } from '../record/record.ts'

export type ServiceView = {
  readonly seen: ServiceObserved
  readonly health: Health
  readonly stall?: Pick<Stall, 'reason' | 'message'>
  /** Pods that are there because of it. */
  readonly pods: number
}

/**
 * `object`: `undefined` where it is not there, `unknown` where it could not be looked at. `beside`: pods of its namespace, and
 * events of pods that could not be made; for a claim the storage classes.
 */
export function serviceView(
  { resource }: Entry,
  object: KubeObject | 'unknown' | undefined,
  beside: Iterable<KubeObject>,
  now: Date,
  roomOf: RoomOf,
): ServiceView {
  const isMaker = makesPods(apiVersionOf(resource), resource.kind)
  const role = roleOf(kindKey(apiVersionOf(resource), resource.kind), object)
  if (object === 'unknown') {
    const seen = {
      role,
      phase: 'waiting',
      ready: undefined,
      restarts: 0,
      message: 'it could not be looked at',
    } as const
    return { seen, health: waiting(seen.message), pods: 0 }
  }
  if (!object) {
    const seen = { role, phase: 'waiting', ready: false, restarts: 0, message: 'it is not there' } as const
    return { seen, health: waiting(seen.message), pods: 0 }
  }
  const pods = isMaker ? podsOf(object, beside) : []
  const own = unusedClaim(healthOf(object), object, beside)
  const trouble = isWell(own) ? undefined : (firstTrouble(pods, now, roomOf) ?? makerTrouble(object, beside, pods))
  const health = trouble && own.state === 'waiting' ? { ...trouble, state: own.state } : own
  const { message, stall } = health
  const started = pods.length > 0 ? earliest(pods) : createdAt(object)
  const { uid } = object.metadata
  return {
    seen: {
      role,
      phase: phaseOf(health, trouble),
      ready: isWell(health),
      restarts: pods.reduce((total, pod) => total + restartsOf(pod), 0),
      ...(started ? { startedAt: started } : {}),
      ...(message === undefined ? {} : { message }),
      ...(uid === undefined ? {} : { engineId: uid }),
    },
    health,
    ...(stall ? { stall } : {}),
    pods: pods.length,
  }
}

/** What is meant to end counts no more once it has, as an init does. */
function roleOf(kind: string, object: KubeObject | 'unknown' | undefined): ServiceRole {
  if (kind === 'Job.batch') return 'init'
  if (kind !== 'Pod' || object === 'unknown') return 'sidecar'
  const policy = textAt(object, 'spec', 'restartPolicy')
  return policy === undefined || policy === 'Always' ? 'sidecar' : 'init'
}

function phaseOf({ state }: Health, trouble: Health | undefined): ServicePhase {
  if (state === 'ready') return 'running'
  if (state === 'completed') return 'completed'
  if (state === 'leaving') return 'stopping'
  if (state === 'failed') return 'crashed'
  if (!trouble?.stall) return 'starting'
  if (trouble.stall.reason === 'image_pull_failed') return 'pulling'
  return trouble.crashing ? 'crashed' : 'waiting'
}

/** The first of what will not pass, else of what only takes its time. */
function firstTrouble(pods: readonly KubeObject[], now: Date, roomOf: RoomOf): Health | undefined {
  const all = pods.flatMap((pod) => podTrouble(pod, now, roomOf) ?? [])
  return all.find(({ stall }) => stall) ?? all[0]
}

function earliest(pods: readonly KubeObject[]): Date | undefined {
  const times = pods.flatMap((pod) => startedAt(pod)?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.min(...times)) : undefined
}
