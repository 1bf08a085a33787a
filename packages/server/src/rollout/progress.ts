/** Pure: how near a slot is to what is asked for, and whether it has come nearer in time. */
import type { RolloutFailure, RolloutStatus } from '@gantry/core'
import type { SlotFacts } from './facts.ts'
import { isoTime } from './outcomes.ts'
import type { Scene } from './step.ts'

export type Progress = {
  readonly patch: Partial<RolloutStatus>
  /** Until it is too late; 0: it is. */
  readonly leftMs: number
}

/** Counts for what is there and ready, and against what is to go: it cannot grow for ever, so a deadline always comes. */
function scoreOf({ updated, updatedReady, others }: SlotFacts): number {
  return updated + 2 * updatedReady - others
}

/** Only better than ever before is progress: what goes up and down for ever gets nowhere. */
export function progressOf({ spec, status, now }: Scene, there: SlotFacts | undefined): Progress {
  const before = status.progress
  // What is not known to be about the spec as it is says nothing yet.
  const seen = there?.current ? { generation: there.generation, best: scoreOf(there) } : undefined
  const isNearer = seen !== undefined && (before?.generation !== seen.generation || seen.best > before.best)
  const returns = status.waitingOn !== 'replicas' || status.progressAt === undefined
  const since = isNearer || returns ? now : Date.parse(status.progressAt ?? '')
  const limitMs = spec.strategy.progressDeadlineSeconds * 1000 + (there?.allowanceMs ?? 0)
  return {
    patch: {
      progressAt: isoTime(since),
      ...(isNearer && { progress: seen }),
    },
    leftMs: Math.max(0, since + limitMs - now),
  }
}

export function tooLate({ spec, now }: Scene, there: SlotFacts | undefined): RolloutFailure {
  const seconds = spec.strategy.progressDeadlineSeconds
  const held = there?.trouble ?? (there?.waitingFor === undefined ? undefined : `still waiting for ${there.waitingFor}`)
  return {
    reason: 'progress_deadline',
    message: `v${spec.release} came no nearer to being ready within ${seconds} s${held === undefined ? '' : `: ${held}`}`,
    at: isoTime(now),
  }
}
