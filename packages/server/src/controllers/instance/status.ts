/** Pure: the status of an instance after a pass, or after there could be none. */
import { type Fault, type InstanceObjectStatus, isRetryable, type ObjectOf, type StatusOf } from '@gantry/core'
import type { Pass } from '@gantry/providers'
import type { Sight } from '../../engines/engine-hub.ts'
import { conditionsOf, unknown, type Verdict } from '../conditions.ts'
import { seenOf } from './seen.ts'

/** How the pass ended. */
export type Outcome =
  | { readonly type: 'pass'; readonly pass: Pass; readonly specHash?: string }
  | { readonly type: 'fault'; readonly fault: Fault; readonly specHash?: string }
  /** Left as it is, since somebody looks at a rollout that is paused. */
  | { readonly type: 'held' }

type Instance = ObjectOf<'Instance'>

export function statusAfter(instance: Instance, outcome: Outcome, sight: Sight, now: number): StatusOf<'Instance'> {
  if (sight.state === 'blind') return blindStatus(instance, sight.fault, sight.since, now)
  const { metadata, spec, status } = instance
  const seen = seenOf(sight.observed, spec)
  const stalled = failureOf(outcome, status, now) ?? (isDone(outcome) ? undefined : seen.stalled)
  const specHash = 'specHash' in outcome ? outcome.specHash : status.specHash
  const waitingFor = waitOf(outcome)
  const next: InstanceObjectStatus = {
    observedGeneration: metadata.generation,
    ...seen,
    state: metadata.deletionRequestedAt === undefined ? seen.state : 'destroying',
    stalled,
    specHash,
    settled: isDone(outcome),
    waitingFor,
  }
  return withConditions(instance, defined(next), verdictOn(next), now)
}

/** What was seen before stays, and is known to be no more than that. */
export function blindStatus(instance: Instance, fault: Fault, since: Date, now: number): StatusOf<'Instance'> {
  const { status } = instance
  const blind = { reason: fault.reason, message: fault.message, since: status.blind?.since ?? since.toISOString() }
  const message = `could not look since ${blind.since}: ${blind.message}`
  // Nothing is settled that nobody sees; and what was told to the engine last is not known either.
  const { settled: _, waitingFor: __, ...rest } = status
  return withConditions(instance, { ...rest, blind }, unknown(blind.reason, message), now)
}

function isDone(outcome: Outcome): boolean {
  return outcome.type === 'pass' && outcome.pass.state === 'done'
}

/** A fault that would only come again is the end of the way, until something changes. */
function failureOf(outcome: Outcome, before: InstanceObjectStatus, now: number): InstanceObjectStatus['stalled'] {
  if (outcome.type !== 'fault' || isRetryable(outcome.fault)) return undefined
  const { reason, message } = outcome.fault
  const isSame = before.stalled?.reason === reason && before.stalled.message === message
  return { reason, message, at: isSame && before.stalled ? before.stalled.at : new Date(now).toISOString() }
}

function waitOf(outcome: Outcome): string | undefined {
  switch (outcome.type) {
    case 'held':
      return 'someone to resume the rollout'
    case 'pass':
      return outcome.pass.state === 'done' ? undefined : outcome.pass.reason
    case 'fault':
      return isRetryable(outcome.fault) ? `another try: ${outcome.fault.message}` : undefined
    default:
      return outcome satisfies never
  }
}

function verdictOn({ settled, stalled, waitingFor }: InstanceObjectStatus): Verdict {
  if (settled) {
    return {
      Ready: ['True', 'converged', 'Everything is as asked for'],
      Progressing: ['False', 'converged', 'Nothing left to do'],
      Degraded: ['False', 'converged', ''],
    }
  }
  const wait = `waiting for ${waitingFor ?? 'a change'}`
  if (!stalled) {
    return {
      Ready: ['False', 'waiting', wait],
      Progressing: ['True', 'waiting', wait],
      Degraded: ['False', 'waiting', ''],
    }
  }
  const { reason, message } = stalled
  return {
    Ready: ['False', reason, message],
    Progressing: waitingFor === undefined ? ['False', 'parked', message] : ['True', 'retrying', wait],
    Degraded: ['True', reason, message],
  }
}

function withConditions(
  { status }: Instance,
  next: InstanceObjectStatus,
  verdict: Verdict,
  now: number,
): StatusOf<'Instance'> {
  return { ...next, conditions: [...conditionsOf(verdict, status.conditions ?? [], now)] }
}

/** What is not said is left out, so that the same status is the same text. */
function defined(status: InstanceObjectStatus): InstanceObjectStatus {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
}
