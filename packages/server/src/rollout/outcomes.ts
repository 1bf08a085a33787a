/** Pure: the few ways in which a decision can end. */
import type { RolloutPhase, RolloutStatus, RolloutStep, WaitReason } from '@gantry/core'
import type { Deed, Scene, Step } from './step.ts'
import { safeWeights, type Weights } from './weights.ts'

export const isoTime = (now: number): string => new Date(now).toISOString()

export type Wait = {
  readonly on: WaitReason
  /** So that "waiting for …" reads as a sentence. */
  readonly for: string
  readonly afterMs?: number
}

/** Stays at the step. Coming back to replicas after any other wait begins their deadline anew. */
export function waiting(
  { status, facts, now }: Scene,
  meant: Weights,
  wait: Wait,
  patch: Partial<RolloutStatus> = {},
  deeds: readonly Deed[] = [],
): Step {
  const returns = wait.on === 'replicas' && status.waitingOn !== 'replicas'
  return {
    deeds,
    status: {
      ...status,
      ...(returns && { progressAt: isoTime(now) }),
      phase: wait.on === 'person' ? 'paused' : phaseAt(status.step),
      weights: safeWeights(meant, facts.slots),
      waitingOn: wait.on,
      waitingFor: wait.for,
      ...patch,
    },
    ...(wait.afterMs !== undefined && { afterMs: Math.max(0, wait.afterMs) }),
  }
}

/** The next step is begun, and decided about at once. */
export function entering(
  { status, facts, now }: Scene,
  step: RolloutStep,
  meant: Weights,
  patch: Partial<RolloutStatus> = {},
): Step {
  const at = isoTime(now)
  return {
    deeds: [],
    status: {
      ...withoutWait(status),
      phase: phaseAt(step),
      step,
      since: at,
      progressAt: at,
      progress: undefined,
      weights: safeWeights(meant, facts.slots),
      ...patch,
    },
    afterMs: 0,
  }
}

export function ending(
  { status, now }: Scene,
  phase: RolloutPhase,
  patch: Partial<RolloutStatus> = {},
  deeds: readonly Deed[] = [],
): Step {
  const { step: _, stepIndex: __, candidate: ___, progress: ____, ...kept } = withoutWait(status)
  return { deeds, status: { ...kept, phase, endedAt: isoTime(now), ...patch } }
}

function phaseAt(step: RolloutStep | undefined): RolloutPhase {
  if (step === 'back') return 'rolling_back'
  return step === 'switch' || step === 'warm' ? 'promoting' : 'progressing'
}

function withoutWait({ waitingOn: _, waitingFor: __, ...status }: RolloutStatus): RolloutStatus {
  return status
}
