/** Any rollout in any state, with any facts: also those that no engine would ever tell. */
import {
  type RolloutSpec,
  type RolloutStatus,
  rolloutPhases,
  rolloutTriggers,
  type StrategySpec,
  waitReasons,
} from '@gantry/core'
import fc from 'fast-check'
import type { Exit, RolloutFacts, SlotFacts } from '../../rollout/facts.ts'
import type { RolloutState } from '../../rollout/next-step.ts'
import { at, start } from './scenes.ts'

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const slot = fc.constantFrom('a' as const, 'b' as const)
const release = fc.integer({ min: 1, max: 3 })
const stamp = maybe(fc.constantFrom('s1', 's2'))
const place = {
  provider: fc.constantFrom('here', 'here', 'here', 'there'),
  type: fc.constantFrom('deployment' as const, 'deployment' as const, 'stateful_set' as const),
}
const time = fc.integer({ min: -500, max: 500 }).map(at)
const count = fc.integer({ min: 0, max: 3 })
const percent = fc.integer({ min: 0, max: 100 })

const gates = {
  minReadySeconds: fc.integer({ min: 0, max: 10 }),
  progressDeadlineSeconds: fc.integer({ min: 1, max: 200 }),
  onFailure: fc.constantFrom('rollback' as const, 'pause' as const),
}

const canaryStep = fc.oneof(
  fc.record({ weight: percent, pauseSeconds: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ weight: percent, manual: fc.constant(true as const) }),
)

export const arbitraryStrategy: fc.Arbitrary<StrategySpec> = fc.oneof(
  fc.record({ type: fc.constant('rolling' as const), maxSurge: count, maxUnavailable: count, ...gates }),
  fc.record({ type: fc.constant('recreate' as const), ...gates }),
  fc.record({
    type: fc.constant('blue_green' as const),
    autoPromote: fc.boolean(),
    warmSeconds: fc.constantFrom(0, 30),
    ...gates,
  }),
  fc.record({
    type: fc.constant('canary' as const),
    steps: fc.array(canaryStep, { minLength: 1, maxLength: 3 }),
    analysis: maybe(fc.record({ maxErrorRate: fc.constantFrom(0, 0.1), minRequests: fc.constantFrom(1, 20) })),
    ...gates,
  }),
)

export const arbitrarySpec: fc.Arbitrary<RolloutSpec> = fc.record({
  workload: fc.constant('web'),
  number: fc.constant(5),
  release,
  from: maybe(release),
  ...place,
  trigger: fc.constantFrom(...rolloutTriggers),
  strategy: arbitraryStrategy,
  restartStamp: stamp,
  paused: fc.boolean(),
  promote: count,
  resume: count,
  abort: maybe(fc.constant({ by: 'eva', why: '' })),
})

const weights = percent.map((a) => ({ a, b: 100 - a }))
const failure = maybe(fc.constant({ reason: 'process_exited', message: 'web ended', at: at(0) }))
const steps = ['clear', 'update', 'fill', 'gate', 'shift', 'switch', 'warm', 'back'] as const

/** Also one that was never decided about. */
const arbitraryStatus: fc.Arbitrary<RolloutStatus> = fc.oneof(
  fc.constant({}),
  fc.record({
    phase: fc.constantFrom(...rolloutPhases),
    step: fc.constantFrom(...steps),
    stepIndex: maybe(count),
    weights,
    stable: slot,
    candidate: maybe(slot),
    previousStamp: stamp,
    returnable: fc.boolean(),
    gates: count,
    waitingOn: maybe(fc.constantFrom(...waitReasons)),
    since: time,
    progressAt: time,
    failure,
    resumed: maybe(count),
    startedAt: time,
  }),
)

const exit: fc.Arbitrary<Exit> = fc.record({
  service: fc.constant('web'),
  replica: count,
  engineId: fc.constant('r1'),
  exitCode: maybe(fc.constantFrom(1, 137, 'unknown' as const)),
  startedAt: maybe(fc.integer({ min: -500, max: 500 }).map((seconds) => start + seconds * 1000)),
})

function arbitrarySlot(which: 'a' | 'b'): fc.Arbitrary<SlotFacts> {
  return fc
    .record({
      slot: fc.constant(which),
      generation: fc.integer({ min: 1, max: 3 }),
      ...place,
      release,
      restartStamp: stamp,
      paused: fc.boolean(),
      wanted: count,
      deleting: fc.boolean(),
      current: fc.boolean(),
      settled: fc.boolean(),
      ready: maybe(count),
      updated: count,
      updatedReady: count,
      others: count,
      allowanceMs: fc.constantFrom(0, 12_000),
      blind: maybe(fc.constant({ reason: 'engine_unreachable', message: 'no answer', since: at(0) })),
      stalled: maybe(fc.constant({ reason: 'image_pull_failed', message: 'There is no such image' })),
      exits: fc.array(exit, { maxLength: 2 }),
    })
    .map((facts) => ({ ...facts, settled: facts.settled && facts.current && !facts.blind }))
}

const figures = fc
  .record({ requests: fc.integer({ min: 0, max: 100 }), errors: fc.integer({ min: 0, max: 100 }) })
  .map(({ requests, errors }) => ({ requests, errors: Math.min(errors, requests) }))

export const arbitraryFacts: fc.Arbitrary<RolloutFacts> = fc
  .record({
    a: maybe(arbitrarySlot('a')),
    b: maybe(arbitrarySlot('b')),
    wanted: count,
    stable: maybe(slot),
    traffic: fc.record({ acknowledged: fc.boolean(), figures: maybe(fc.record({ a: figures, b: figures })) }),
    older: maybe(
      fc.record({ name: fc.constant('web-r4'), ended: fc.boolean(), weights: maybe(weights), stable: slot }),
    ),
    superseded: fc.boolean(),
    leaving: fc.boolean(),
  })
  .map(({ a, b, ...facts }) => ({ ...facts, slots: { ...(a && { a }), ...(b && { b }) } }))

/** A candidate is never the stable slot: the type cannot say so, but no decision ever makes it one. */
export const arbitraryState: fc.Arbitrary<RolloutState> = fc
  .record({ spec: arbitrarySpec, status: arbitraryStatus })
  .filter(({ status }) => status.candidate === undefined || status.candidate !== status.stable)
