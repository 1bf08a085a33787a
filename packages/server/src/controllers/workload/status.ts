/** Pure: what a user reads of a workload, from its newest rollout and its instances. */
import {
  type Fault,
  hasEnded,
  type InstanceSlot,
  type ObjectOf,
  otherSlot,
  restartsOf,
  type StatusOf,
  type WorkloadStatus,
} from '@gantry/core'
import { conditionsOf, type Said, unknown, type Verdict } from '../conditions.ts'
import { runningRelease } from './decide.ts'
import { troubleOf } from './trouble.ts'

/** What is said depends on no more than this, so it can be said of what is written in the same commit. */
export type RolloutLook = Pick<ObjectOf<'Rollout'>, 'spec' | 'status'>
export type InstanceLook = Pick<ObjectOf<'Instance'>, 'spec' | 'status'> & {
  readonly metadata: Pick<ObjectOf<'Instance'>['metadata'], 'generation'>
}

export type Looked = {
  readonly workload: ObjectOf<'Workload'>
  readonly newest: RolloutLook | undefined
  readonly instances: readonly InstanceLook[]
  /** What keeps it from being rolled out at all, read as "waiting for …". */
  readonly waiting?: string
  /** Why it cannot be rolled out as it is. */
  readonly fault?: Fault
}

/** What was made for it; kept with the status in one write. */
export type Made = Pick<WorkloadStatus, 'asked' | 'releases' | 'rollout'>

export function statusOf(looked: Looked, made: Made, now: number): StatusOf<'Workload'> {
  const { workload, newest, instances } = looked
  const stable = stableSlot(looked)
  const instance = instances.find(({ spec }) => spec.slot === stable)
  const release = (newest && runningRelease(newest)) ?? instance?.spec.release
  const staying = instance?.status.replicas?.filter(({ terminating }) => !terminating)
  const isFailed = newest?.status.phase === 'rolled_back' || newest?.status.phase === 'failed'
  const state = instance?.status.state
  const restarts = restartsOf(staying)
  return {
    ...made,
    observedGeneration: workload.metadata.generation,
    conditions: [...conditionsOf(verdictOn(looked, instance), workload.status.conditions ?? [], now)],
    ...(state === undefined ? {} : { state }),
    ...(release === undefined ? {} : { release }),
    ...(staying === undefined ? {} : { replicas: staying.length }),
    ...(instance?.status.readyReplicas === undefined ? {} : { readyReplicas: instance.status.readyReplicas }),
    ...(restarts === undefined ? {} : { restarts }),
    ...(stable === undefined ? {} : { stable }),
    ...(isFailed ? { failedRelease: newest.spec.release } : {}),
  }
}

/** The rollout's word; before there is one, the slot that is there. */
function stableSlot({ newest, instances, workload }: Looked): InstanceSlot | undefined {
  const said = newest?.status.stable ?? workload.status.stable
  if (said && (instances.length === 0 || instances.some(({ spec }) => spec.slot === said))) return said
  return instances[0]?.spec.slot ?? said
}

function verdictOn(looked: Looked, instance: InstanceLook | undefined): Verdict {
  const { fault, waiting } = looked
  const blind = instance?.status.blind
  if (blind) {
    const since = `cannot be looked at since ${blind.since}`
    return unknown(blind.reason, `Provider "${instance.spec.provider}" ${since}: ${blind.message}`)
  }
  if (fault && !instance) return cannotBegin(fault)
  if (waiting !== undefined && !instance) {
    const message = `waiting for ${waiting}`
    return {
      Ready: ['False', 'waiting', message],
      Progressing: ['True', 'waiting', message],
      Degraded: ['False', 'waiting', ''],
    }
  }
  return {
    Ready: readiness(looked, instance),
    Progressing: progress(looked, instance),
    Degraded: fault ? ['True', fault.reason, fault.message] : degradation(looked, instance),
  }
}

function cannotBegin(fault: Fault): Verdict {
  if (fault.kind === 'unavailable') return unknown(fault.reason, `could not look: ${fault.message}`)
  return {
    Ready: ['False', fault.reason, fault.message],
    Progressing: ['False', fault.reason, 'Goes on when the spec, or something that it refers to, changes'],
    Degraded: ['True', fault.reason, fault.message],
  }
}

function readiness({ workload: { spec } }: Looked, instance: InstanceLook | undefined): Said {
  if (spec.run === 'stopped') return ['False', 'stopped', 'Stopped, as asked for']
  const wanted = spec.replicas
  const { readyReplicas: ready, observedGeneration } = instance?.status ?? {}
  if (!instance || ready === undefined) return ['False', 'starting', 'Nothing was seen of it yet']
  // What was asked for last must have been seen by whoever says that it is so.
  const isCurrent = observedGeneration === instance.metadata.generation
  if (wanted === 0 && isCurrent) return ['True', 'converged', 'No replicas are asked for']
  if (ready >= wanted && isCurrent) return ['True', 'converged', `${counted(ready, wanted)} ready`]
  const trouble = troubleOf(instance)
  return ['False', 'not_ready', `${counted(ready, wanted)} ready${trouble === undefined ? '' : `; ${trouble}`}`]
}

function progress(looked: Looked, instance: InstanceLook | undefined): Said {
  const { newest, instances } = looked
  if (newest && !hasEnded(newest.status.phase)) {
    const { phase, waitingFor } = newest.status
    const why = waitingFor === undefined ? '' : `: waiting for ${waitingFor}`
    if (phase === 'failed') return ['False', 'failed', `Rolling out v${newest.spec.release} failed${why}`]
    if (phase === 'paused') return ['False', 'paused', `The rollout of v${newest.spec.release} is paused${why}`]
    return ['True', 'rolling_out', `Rolling out v${newest.spec.release}${why}`]
  }
  const waitingFor = instance?.status.waitingFor
  const isCurrent = instance?.status.observedGeneration === instance?.metadata.generation
  if (waitingFor !== undefined) return ['True', 'waiting', `waiting for ${waitingFor}`]
  if (!isCurrent) return ['True', 'waiting', 'waiting for the engine to be told']
  const other = instance && instances.find(({ spec }) => spec.slot === otherSlot(instance.spec.slot))
  if (other) return ['True', 'cleaning', `waiting for slot ${other.spec.slot} to be removed`]
  return ['False', 'converged', 'Nothing left to do']
}

function degradation({ newest }: Looked, instance: InstanceLook | undefined): Said {
  const failure = newest?.status.failure
  if (newest && failure && newest.status.phase !== 'succeeded') {
    const running = runningRelease(newest)
    const now = running === undefined ? 'there is nothing to go back to' : `running v${running}`
    return ['True', failure.reason, `v${newest.spec.release} failed (${failure.message}), ${now}`]
  }
  if (newest?.status.phase === 'aborted') {
    const { by, why } = newest.spec.abort ?? { by: 'somebody', why: '' }
    const running = runningRelease(newest)
    const now = running === undefined ? '' : `, running v${running}`
    return ['True', 'aborted', `v${newest.spec.release} was aborted by ${by}${why && ` (${why})`}${now}`]
  }
  const trouble = instance && troubleOf(instance)
  if (trouble !== undefined) return ['True', instance?.status.stalled?.reason ?? 'unhealthy', trouble]
  const drift = instance?.status.drift ?? []
  if (drift.length > 0) return ['True', 'drift', `Somebody changed ${drift.join(', ')} on the engine`]
  return ['False', 'converged', '']
}

const counted = (ready: number, wanted: number): string =>
  `${ready} of ${wanted} ${wanted === 1 ? 'replica is' : 'replicas are'}`
