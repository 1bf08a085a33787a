/** Pure: what a user reads in `status.conditions` after a pass that ended with this result. */
import type { Condition, ConditionStatus } from '@gantry/core'
import type { Result } from './result.ts'
import { isStuck } from './stuck.ts'

type Said = readonly [status: ConditionStatus, reason: string, message: string]
type Verdict = { readonly Ready: Said; readonly Progressing: Said; readonly Degraded: Said }

export type Moment = {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The object is being taken down: done then means gone, and nothing is ready. */
  readonly deleting?: boolean
}

/** Conditions of other types are kept as they are; `since` moves only when a status does. */
export function conditionsFor(result: Result, previous: readonly Condition[], moment: Moment): readonly Condition[] {
  return withVerdict(moment.deleting ? whileDeleting(verdictOn(result)) : verdictOn(result), previous, moment.now)
}

/** For an object that nobody works on at the moment, because it is paused or because the process is stopping. */
export function restingConditions(
  reason: string,
  message: string,
  previous: readonly Condition[],
  { now }: Moment,
): readonly Condition[] {
  return withVerdict({ Progressing: ['False', reason, message] }, previous, now)
}

function withVerdict(verdict: Partial<Verdict>, previous: readonly Condition[], now: number): readonly Condition[] {
  const made = Object.entries(verdict).map(([type, [status, reason, message]]): Condition => {
    const before = previous.find((condition) => condition.type === type)
    const since = before?.status === status ? before.since : new Date(now).toISOString()
    return { type, status, reason, message, since }
  })
  return [...made, ...previous.filter((condition) => !(condition.type in verdict))]
}

function verdictOn(result: Result): Verdict {
  switch (result.state) {
    case 'done':
      return {
        Ready: ['True', 'converged', 'Everything is as asked for'],
        Progressing: ['False', 'converged', 'Nothing left to do'],
        Degraded: ['False', 'converged', ''],
      }
    case 'yield': {
      const message = `waiting for ${result.reason}${at(result.path)}`
      return {
        Ready: ['False', 'waiting', message],
        Progressing: ['True', 'waiting', message],
        Degraded: ['False', 'waiting', ''],
      }
    }
    case 'transient':
      return result.blind ? blind(result) : failing(result)
    case 'permanent': {
      const { reason, message } = result.fault
      const why = `${message}${at(result.path)}`
      return {
        Ready: ['False', reason, why],
        Progressing: ['False', 'parked', 'Tried again when the spec, or something it refers to, changes'],
        Degraded: ['True', reason, why],
      }
    }
    default:
      return result satisfies never
  }
}

type Failing = Extract<Result, { state: 'transient' }>

function blind({ fault, path }: Failing): Verdict {
  const unknown: Said = ['Unknown', fault.reason, `could not look: ${fault.message}${at(path)}`]
  return { Ready: unknown, Progressing: unknown, Degraded: unknown }
}

function failing(result: Failing): Verdict {
  const { reason, message } = result.fault
  const said = isStuck(result) ? message : `${message}${at(result.path)}`
  return {
    Ready: ['False', reason, said],
    Progressing: isStuck(result) ? ['False', 'stuck', said] : ['True', 'retrying', said],
    Degraded: ['True', reason, said],
  }
}

function whileDeleting(verdict: Verdict): Verdict {
  const [status, reason, message] = verdict.Ready
  const ready: Said = status === 'Unknown' ? verdict.Ready : ['False', 'deleting', message]
  const gone: Said = ['False', 'deleted', 'Everything was taken down']
  return status === 'True'
    ? { Ready: ['False', 'deleted', gone[2]], Progressing: gone, Degraded: verdict.Degraded }
    : { ...verdict, Ready: reason === 'waiting' ? ready : verdict.Ready }
}

function at(path: string): string {
  return path === '' ? '' : ` (${path})`
}
