/** Pure: what a row of looks means. */
import type { HealthCheckSpec } from '@gantry/core'
import type { Finding } from './look.ts'

export type HealthRules = Pick<
  HealthCheckSpec,
  'intervalSeconds' | 'successThreshold' | 'failureThreshold' | 'startSeconds'
>

/**
 * `starting`: has not been well yet, which is no failure until its time is over. `unknown`: ran before we came, so what it
 * was is not known. Nobody takes an unknown one out of rotation; `failing` is a positive finding.
 */
export type Health = {
  readonly phase: 'starting' | 'unknown' | 'passing' | 'failing'
  /** In a row, of the last looks. */
  readonly successes: number
  readonly failures: number
  /** Why the last look was not well. */
  readonly message?: string
}

export const startingHealth: Health = { phase: 'starting', successes: 0, failures: 0 }
export const unknownHealth: Health = { phase: 'unknown', successes: 0, failures: 0 }

/** `ageMs`: since the process started. */
export function afterLook(before: Health, finding: Finding, rules: HealthRules, ageMs: number): Health {
  if (finding.well) {
    const successes = before.successes + 1
    const enough = successes >= rules.successThreshold
    const { message } = before
    const still = message === undefined || enough ? {} : { message }
    return { phase: enough ? 'passing' : before.phase, successes, failures: 0, ...still }
  }
  const failures = before.failures + 1
  return { phase: afterFailure(before.phase, failures, rules, ageMs), successes: 0, failures, message: finding.message }
}

function afterFailure(phase: Health['phase'], failures: number, rules: HealthRules, ageMs: number): Health['phase'] {
  const young = ageMs < rules.startSeconds * 1000
  if (phase === 'starting') return young ? 'starting' : 'failing'
  // One that ran before we came may be about to start, too.
  if (phase === 'unknown' && young) return 'unknown'
  return failures >= rules.failureThreshold ? 'failing' : phase
}

export const isReady = ({ phase }: Health): boolean | undefined =>
  phase === 'unknown' ? undefined : phase === 'passing'

/**
 * Before the first success: soon at first, for programs that are up in a moment, and then at least this often. It grows
 * slowly, so that a program is seen to be up within a tenth or so of the time that it took.
 */
const quickMs = 250
const soonMs = 10
const slower = 1.07
/** So that a thousand services that started together are not asked together for ever. */
const jitter = 0.1

/** `random` from 0 up to 1. */
export function nextLookMs({ phase, failures }: Health, { intervalSeconds }: HealthRules, random: number): number {
  const usual = intervalSeconds * 1000
  if (phase === 'starting' || phase === 'unknown') return Math.min(quickMs, Math.round(soonMs * slower ** failures))
  return Math.round(usual * (1 + jitter * (2 * random - 1)))
}

/** Nobody is up at once: that it is not yet is worth a word only after this. */
const ordinaryMs = 1000

/** As shown to people; nothing where all is well or nothing was seen yet. `ageMs`: since the process started. */
export function healthMessage(
  { phase, message }: Health,
  { startSeconds }: HealthRules,
  ever: boolean,
  ageMs: number,
): string | undefined {
  if (message === undefined || phase === 'passing') return undefined
  if (phase === 'starting' && ageMs < ordinaryMs) return undefined
  if (phase !== 'failing') return `has not passed its health check yet: ${message}`
  return ever
    ? `fails its health check: ${message}`
    : `has not passed its health check within ${startSeconds} s: ${message}`
}
