/** Small rollouts and slots for tests: everything is well unless said otherwise. */
import type { RolloutSpec, RolloutStatus, StrategySpec } from '@gantry/core'
import type { RolloutFacts, SlotFacts } from '../../rollout/facts.ts'

export const start = Date.UTC(2026, 0, 1)
export const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString()

const gates = { minReadySeconds: 2, progressDeadlineSeconds: 120, onFailure: 'rollback' } as const

export const strategies = {
  rolling: { type: 'rolling', maxSurge: 1, maxUnavailable: 0, ...gates },
  recreate: { type: 'recreate', ...gates },
  blue_green: { type: 'blue_green', autoPromote: true, warmSeconds: 0, ...gates },
  canary: {
    type: 'canary',
    steps: [
      { weight: 10, pauseSeconds: 60 },
      { weight: 50, manual: true },
    ],
    ...gates,
  },
} as const satisfies Record<StrategySpec['type'], StrategySpec>

export function specOf(more: Partial<RolloutSpec> = {}): RolloutSpec {
  return {
    workload: 'web',
    number: 2,
    release: 2,
    from: 1,
    provider: 'here',
    type: 'deployment',
    trigger: 'deploy',
    strategy: strategies.rolling,
    paused: false,
    promote: 0,
    resume: 0,
    ...more,
  }
}

/** Under way in the slot that is there. */
export function updating(more: Partial<RolloutStatus> = {}): RolloutStatus {
  return {
    phase: 'progressing',
    step: 'update',
    stable: 'a',
    weights: { a: 100, b: 0 },
    gates: 0,
    returnable: true,
    returnsTo: 1,
    startedAt: at(0),
    since: at(0),
    progressAt: at(0),
    ...more,
  }
}

/** Under way beside the slot that is there. */
export function besides(step: RolloutStatus['step'], more: Partial<RolloutStatus> = {}): RolloutStatus {
  return updating({ step, candidate: 'b', ...more })
}

/** Two replicas, ready, as asked for. */
export function slotOf(slot: 'a' | 'b', release: number, more: Partial<SlotFacts> = {}): SlotFacts {
  return {
    slot,
    generation: 1,
    provider: 'here',
    type: 'deployment',
    release,
    restartStamp: undefined,
    paused: false,
    wanted: 2,
    deleting: false,
    current: true,
    settled: true,
    ready: 2,
    updated: 2,
    updatedReady: 2,
    others: 0,
    allowanceMs: 12_000,
    exits: [],
    ...more,
  }
}

/** Told what to run, and not there yet. */
export const coming = { settled: false, ready: 0, updated: 1, updatedReady: 0, waitingFor: 'replicas to become ready' }

export const blind = {
  settled: false,
  ready: undefined,
  blind: { reason: 'engine_unreachable', message: 'no answer', since: at(0) },
} as const

export function factsOf(slots: readonly SlotFacts[], more: Partial<RolloutFacts> = {}): RolloutFacts {
  return {
    slots: Object.fromEntries(slots.map((each) => [each.slot, each])),
    wanted: 2,
    traffic: { acknowledged: true },
    superseded: false,
    leaving: false,
    ...more,
  }
}
