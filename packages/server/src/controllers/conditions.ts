/** Pure: conditions as sentences, with since when. */
import type { Condition, ConditionStatus } from '@gantry/core'

export type Said = readonly [status: ConditionStatus, reason: string, message: string]

export type Verdict = { readonly Ready: Said; readonly Progressing: Said; readonly Degraded: Said }

/** `since` moves only when a status does. Conditions of other types are kept. */
export function conditionsOf(verdict: Verdict, previous: readonly Condition[], now: number): readonly Condition[] {
  const made = Object.entries(verdict).map(([type, [status, reason, message]]: [string, Said]): Condition => {
    const before = previous.find((condition) => condition.type === type)
    const since = before?.status === status ? before.since : new Date(now).toISOString()
    return { type, status, reason, message, since }
  })
  return [...made, ...previous.filter(({ type }) => !(type in verdict))]
}

/** Nothing is known: neither good nor bad is said. */
export function unknown(reason: string, message: string): Verdict {
  const said: Said = ['Unknown', reason, message]
  return { Ready: said, Progressing: said, Degraded: said }
}

export function conditionOf(
  object: { readonly status: { readonly conditions?: readonly Condition[] | undefined } },
  type: string,
): Condition | undefined {
  return object.status.conditions?.find((condition) => condition.type === type)
}
