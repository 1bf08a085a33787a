/** Pure: what was decided about a rollout, as its status keeps it and as people are told. */
import type { ObjectOf, RolloutPhase, RolloutSpec, RolloutStatus, StatusOf } from '@gantry/core'
import type { Happened } from '../../events/event.ts'
import { rolloutVerdict } from '../../rollout/conditions.ts'
import { conditionsOf } from '../conditions.ts'

type State = Pick<ObjectOf<'Rollout'>, 'spec' | 'status'>

/** `generation` is of the spec that it was decided from. */
export function toldStatus(
  { spec, status: before }: State,
  decided: RolloutStatus,
  generation: number,
  now: number,
): StatusOf<'Rollout'> {
  const conditions = conditionsOf(rolloutVerdict(spec, decided), before.conditions ?? [], now)
  return defined({ ...decided, observedGeneration: generation, conditions: [...conditions] })
}

const said: Readonly<Record<RolloutPhase, string>> = {
  pending: 'waits',
  progressing: 'is under way',
  paused: 'is paused',
  promoting: 'is being promoted',
  rolling_back: 'is rolled back',
  succeeded: 'has succeeded',
  failed: 'has failed',
  rolled_back: 'was rolled back',
  aborted: 'was aborted',
  superseded: 'was superseded',
}

/** For the workload, which is where people look. `undefined`: it is in no other phase than before. */
export function phaseNews(
  name: string,
  { release }: Pick<RolloutSpec, 'release'>,
  before: RolloutStatus,
  status: RolloutStatus,
): Happened | undefined {
  const { phase, failure, waitingFor } = status
  if (phase === undefined || phase === before.phase || phase === 'pending') return undefined
  const isBad = phase === 'failed' || phase === 'rolling_back' || phase === 'rolled_back'
  const why = isBad && failure ? `: ${failure.message}` : phase === 'paused' ? `: waiting for ${waitingFor}` : ''
  const message = `rollout ${name} of v${release} ${said[phase]}${why}`
  const reason = `Rollout${phase.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}`
  return { type: isBad ? 'warning' : 'normal', reason, message, by: 'rollout-controller' }
}

/** What is not said is left out, so that the same status is the same text. */
function defined(status: StatusOf<'Rollout'>): StatusOf<'Rollout'> {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
}
