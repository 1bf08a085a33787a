/** Pure: how a workload is in one word, and what is wrong with it in a sentence. */
import type { Condition, ObjectOf } from '@gantry/core'
import { conditionOf } from '../../progress/verdict.ts'

export type HealthWord =
  | 'ready'
  | 'degraded'
  | 'not ready'
  | 'rolling out'
  | 'paused'
  | 'stopped'
  | 'leaving'
  | 'unknown'

/** The shape of `-o json`. */
export type Health = {
  readonly name: string
  readonly state: HealthWord
  readonly ready: number | undefined
  readonly replicas: number
  readonly release: number | undefined
  /** Since when it is so, and why, if it is not as it should be. */
  readonly since: string | undefined
  readonly message: string | undefined
}

export function healthOf(workload: ObjectOf<'Workload'>): Health {
  const { metadata, spec, status } = workload
  const { state, condition } = judged(workload)
  const isWell = state === 'ready' || state === 'stopped'
  return {
    name: metadata.name,
    state,
    ready: status.readyReplicas,
    replicas: spec.run === 'stopped' ? 0 : spec.replicas,
    release: status.release,
    since: state === 'leaving' ? metadata.deletionRequestedAt : condition?.since,
    message: isWell || condition === undefined || condition.message === '' ? undefined : condition.message,
  }
}

function judged(workload: ObjectOf<'Workload'>): { state: HealthWord; condition: Condition | undefined } {
  const { metadata, spec } = workload
  const [ready, progressing, degraded] = ['Ready', 'Progressing', 'Degraded'].map((type) => conditionOf(workload, type))
  if (metadata.deletionRequestedAt !== undefined) return { state: 'leaving', condition: progressing }
  if (!ready || ready.status === 'Unknown') return { state: 'unknown', condition: ready }
  if (degraded?.status === 'True') return { state: 'degraded', condition: degraded }
  if (progressing?.reason === 'paused') return { state: 'paused', condition: progressing }
  if (progressing?.status === 'True') return { state: 'rolling out', condition: progressing }
  if (spec.run === 'stopped') return { state: 'stopped', condition: ready }
  return { state: ready.status === 'True' ? 'ready' : 'not ready', condition: ready }
}
