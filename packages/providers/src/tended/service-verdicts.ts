/** Pure: why a service that runs will not get further without a change, in a sentence. */
import type { Stall } from '../observed.ts'
import type { HealthSeen } from './checkup.ts'

export type Verdict = Pick<Stall, 'reason' | 'message' | 'at'>

export type VerdictFacts = {
  readonly record: { readonly name: string }
  readonly crashingSince: number | undefined
  readonly health: HealthSeen | undefined
}

/** `words`: how its last run ended, where that is known. */
export function runningVerdict(facts: VerdictFacts, words: string | undefined): Verdict | undefined {
  return keepsCrashing(facts, words) ?? neverWell(facts)
}

function keepsCrashing({ record, crashingSince }: VerdictFacts, words: string | undefined): Verdict | undefined {
  if (crashingSince === undefined || words === undefined) return undefined
  return { reason: 'rollout_stalled', message: `${record.name} keeps crashing: ${words}`, at: new Date(crashingSince) }
}

function neverWell({ record, health }: VerdictFacts): Verdict | undefined {
  if (health?.failingSince === undefined || health.everReady || health.message === undefined) return undefined
  return { reason: 'rollout_stalled', message: `${record.name} ${health.message}`, at: new Date(health.failingSince) }
}
