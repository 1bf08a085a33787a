/** Pure: whether a workload has become what was asked for, will not become it, or is on its way. */
import { type Condition, faultReasons, type RolloutPhase } from '@gantry/core'
import type { Picture, Rollout, Workload } from './picture.ts'

export type Goal = {
  readonly workload: string
  readonly tenant: string
  /**
   * settled: as its spec says, with nothing left to do. back: at rest after a rollout that was given up, whatever it is at.
   * gone: deleted, with all that it was made of.
   */
  readonly want: 'settled' | 'back' | 'gone'
  /** At least this generation of it. */
  readonly generation: number
  /** The very one; another of the same name is no longer ours to wait for. */
  readonly uid: string
  /** What failed before this version of the store did so for another wish. */
  readonly since: number
}

export type Verdict =
  | { readonly state: 'waiting' }
  | { readonly state: 'done' }
  /** `rollout`: the one that failed, with why. */
  | { readonly state: 'failed'; readonly why: string; readonly rollout?: Rollout }

const waiting: Verdict = { state: 'waiting' }
const done: Verdict = { state: 'done' }

/** Of these nothing more comes; the schemas say the same, and are too heavy to be loaded for it. */
export const overPhases: readonly RolloutPhase[] = ['succeeded', 'rolled_back', 'aborted', 'superseded']

export function isOver({ status: { phase } }: Rollout): boolean {
  return phase !== undefined && overPhases.includes(phase)
}

export function verdictOn(goal: Goal, picture: Picture): Verdict {
  const workload = picture.workloads.get(goal.workload)
  const isThere = workload?.metadata.uid === goal.uid
  if (goal.want === 'gone') return isThere ? waiting : done
  if (!workload || !isThere) return { state: 'failed', why: 'it was deleted meanwhile' }
  if (workload.metadata.deletionRequestedAt !== undefined) return { state: 'failed', why: 'it is being deleted' }
  if ((workload.status.observedGeneration ?? 0) < Math.max(goal.generation, workload.metadata.generation))
    return waiting
  return settling(goal, workload, newestOf(workload, picture))
}

export function newestOf({ status }: Workload, { rollouts }: Picture): Rollout | undefined {
  return status.rollout === undefined ? undefined : rollouts.get(status.rollout)
}

function settling(goal: Goal, workload: Workload, rollout: Rollout | undefined): Verdict {
  const failure = rollout && goal.want === 'settled' ? failedFor(goal, workload, rollout) : undefined
  if (failure) return failure
  const is = (type: string): Condition | undefined => conditionOf(workload, type)
  if (is('Progressing')?.status !== 'False') return waiting
  if (workload.status.rollout !== undefined && !(rollout && (isOver(rollout) || isOld(goal, rollout)))) return waiting
  const degraded = is('Degraded')
  if (goal.want === 'settled' && degraded?.status === 'True' && isRefusal(degraded, rollout)) {
    return { state: 'failed', why: degraded.message }
  }
  const { spec, status } = workload
  if (spec.run === 'stopped') return status.replicas === 0 ? done : waiting
  return is('Ready')?.status === 'True' && (status.readyReplicas ?? 0) >= spec.replicas ? done : waiting
}

function failedFor(goal: Goal, workload: Workload, rollout: Rollout): Verdict | undefined {
  const { phase } = rollout.status
  if (isOld(goal, rollout)) return undefined
  if (phase !== 'rolled_back' && phase !== 'failed' && phase !== 'aborted') return undefined
  const degraded = conditionOf(workload, 'Degraded')
  const why = degraded?.status === 'True' ? degraded.message : ownWords(rollout)
  return { state: 'failed', why, rollout }
}

/** What the workload will say in a moment. */
function ownWords({ spec, status: { failure, phase } }: Rollout): string {
  if (failure) return `v${spec.release} failed (${failure.message})`
  if (!spec.abort) return `v${spec.release} ended as ${phase}`
  return `v${spec.release} was aborted by ${spec.abort.by}${spec.abort.why === '' ? '' : ` (${spec.abort.why})`}`
}

/** It had come to its end before what is waited for was asked for. */
function isOld(goal: Goal, { metadata, status: { phase } }: Rollout): boolean {
  return goal.want === 'settled' && metadata.resourceVersion <= goal.since && phase !== 'succeeded'
}

/** What was asked for cannot be made, and nothing is tried until something changes. */
function isRefusal({ reason }: Condition, rollout: Rollout | undefined): boolean {
  return Object.hasOwn(faultReasons, reason) && reason !== rollout?.status.failure?.reason
}

export function conditionOf({ status }: Workload, type: string): Condition | undefined {
  return status.conditions?.find((condition) => condition.type === type)
}
