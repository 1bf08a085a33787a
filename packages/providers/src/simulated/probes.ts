/** Pure: when probes would find a program well, in milliseconds after its start. Nothing is probed for real. */
import type { TestProgram } from '../contract/program.ts'
import type { DesiredService } from '../desired.ts'
import { commandOf } from './programs.ts'

/** Before the first success probes come in this interval. */
const quickMs = 250

export type ProbeTimes = {
  /** `undefined`: never. */
  readonly healthyMs: number | undefined
  /** When a program that was well is found not to be any more. */
  readonly unhealthyMs: number | undefined
  /** When it is given up that it will ever be. */
  readonly givenUpMs: number | undefined
}

export function probeTimes({ healthCheck, role }: DesiredService, program: TestProgram): ProbeTimes {
  if (!healthCheck || role === 'init') return { healthyMs: 0, unhealthyMs: undefined, givenUpMs: undefined }
  const { successThreshold, failureThreshold, intervalSeconds, startSeconds } = healthCheck
  const first = Math.ceil((program.healthyAfterMs ?? 0) / quickMs) * quickMs + (successThreshold - 1) * quickMs
  const until = program.healthyUntilMs ?? Number.POSITIVE_INFINITY
  const answers = canAnswer(healthCheck, program) && first < until
  if (!answers) return { healthyMs: undefined, unhealthyMs: undefined, givenUpMs: startSeconds * 1000 }
  const late = first > startSeconds * 1000 ? startSeconds * 1000 : undefined
  const unhealthyMs = Number.isFinite(until) ? until + failureThreshold * intervalSeconds * 1000 : undefined
  return { healthyMs: first, unhealthyMs, givenUpMs: late }
}

function canAnswer(check: NonNullable<DesiredService['healthCheck']>, program: TestProgram): boolean {
  if (check.command) return commandOf(check.command)?.do === 'healthy'
  const port = check.http?.port ?? check.tcp?.port ?? check.grpc?.port
  return port !== undefined && program.listens === port
}
