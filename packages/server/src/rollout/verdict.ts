/** Pure: whether what was seen of the release is a failure, and which. */
import type { InstanceSlot, RolloutFailure } from '@gantry/core'
import { endWords, stallWords } from '../controllers/workload/trouble.ts'
import type { Exit, SlotFacts } from './facts.ts'
import { isoTime } from './outcomes.ts'
import type { Scene } from './step.ts'
import { contentOf, has } from './target.ts'

/** A positive failure of the slot that runs the release. That time has passed is not one; see `progress.ts`. */
export function failureOf(scene: Scene, there: SlotFacts | undefined): RolloutFailure | undefined {
  if (!there?.current || there.blind || !has(there, contentOf(scene))) return undefined
  // Somebody has seen it fail and said to try on: from then on only time tells, and the requests.
  const isTriedOn = scene.status.retriedAt !== undefined
  return (isTriedOn ? undefined : (stall(scene, there) ?? exit(scene, there))) ?? errorRate(scene, there.slot)
}

function stall({ now }: Scene, { stalled, exits }: SlotFacts): RolloutFailure | undefined {
  if (!stalled) return undefined
  const { reason, service, replica } = stalled
  const process = exits.find(
    (each) =>
      (service === undefined || each.service === service) && (replica === undefined || each.replica === replica),
  )
  return {
    reason,
    message: stallWords(stalled),
    at: isoTime(now),
    ...(service !== undefined && { service }),
    ...(replica !== undefined && { replica }),
    ...(process && ofProcess(process)),
  }
}

function exit({ status, now }: Scene, { exits }: SlotFacts): RolloutFailure | undefined {
  // What ended before this began is no news about the release.
  const begun = status.startedAt === undefined ? now : Date.parse(status.startedAt)
  const process = exits.find(({ startedAt }) => startedAt === undefined || startedAt >= begun)
  if (!process) return undefined
  const { service, replica, exitCode, message } = process
  return {
    reason: 'process_exited',
    message: `${service} of replica ${replica} ${endWords(exitCode, message)}`,
    at: isoTime(now),
    ...ofProcess(process),
  }
}

function errorRate({ spec, status, facts, now }: Scene, slot: InstanceSlot): RolloutFailure | undefined {
  const { strategy } = spec
  if (strategy.type !== 'canary' || !strategy.analysis || status.candidate !== slot) return undefined
  const figures = facts.traffic.figures?.[slot]
  const { maxErrorRate, minRequests } = strategy.analysis
  if (!figures || figures.requests < minRequests || figures.errors <= figures.requests * maxErrorRate) return undefined
  const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`
  const seen = `${figures.errors} of ${figures.requests} requests failed (${percent(figures.errors / figures.requests)})`
  return { reason: 'error_rate', message: `${seen}; ${percent(maxErrorRate)} are allowed`, at: isoTime(now) }
}

function ofProcess({ service, replica, engineId, exitCode }: Exit): Partial<RolloutFailure> {
  return { service, replica, engineId, ...(exitCode !== undefined && { exitCode }) }
}
