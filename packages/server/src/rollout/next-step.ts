/**
 * Pure: what a rollout does next. From any state and whatever was seen it comes nearer, waits for something that it
 * names, or fails with a reason; nothing in here remembers anything beside the status.
 */
import { hasEnded, type InstanceSlot, type RolloutSpec, type RolloutStatus } from '@gantry/core'
import { back } from './back.ts'
import { begun } from './begin.ts'
import { fill, gate, shift, takeOver, warm } from './beside.ts'
import type { RolloutFacts } from './facts.ts'
import { goingBack, heldUp } from './failing.ts'
import { abortedClear, clear, tryingOn, update } from './in-place.ts'
import { ending, entering, isoTime, waiting } from './outcomes.ts'
import type { Scene, Step } from './step.ts'
import { contentOf, factsOf, has, isSamePlace, stableOf } from './target.ts'
import { allTo } from './weights.ts'

export type RolloutState = { readonly spec: RolloutSpec; readonly status: RolloutStatus }

export function nextStep({ spec, status }: RolloutState, facts: RolloutFacts, now: number): Step {
  if (hasEnded(status.phase)) return { deeds: [], status }
  const scene: Scene = { spec, status, facts, now }
  if (facts.leaving) return still(scene, 'workload', 'the workload to be gone')
  // Of two only one may write: the older one ends first, also where a third waits behind both.
  if (facts.older && !facts.older.ended) return still(scene, 'rollout', `rollout ${facts.older.name} to step aside`)
  if (facts.superseded) return ending(scene, 'superseded', inherited(scene))
  return status.step === undefined ? beginning(scene) : onward(scene)
}

/** Nobody can have acknowledged what is decided only now. */
function beginning(scene: Scene): Step {
  const { facts } = scene
  return onward({ ...scene, status: begun(scene), facts: { ...facts, traffic: { acknowledged: false } } })
}

/** Nothing is decided here, not even where requests go. */
function still(scene: Scene, on: 'workload' | 'rollout', what: string): Step {
  const { status } = scene
  const phase = status.phase ?? 'pending'
  return { deeds: [], status: { ...status, phase, waitingOn: on, waitingFor: what } }
}

/** One that never began hands on what it would have begun from. */
function inherited({ status, facts }: Scene): Partial<RolloutStatus> {
  const { weights = facts.older?.weights, stable = facts.older?.stable } = status
  return { ...(weights && { weights }), ...(stable && { stable }) }
}

function onward(scene: Scene): Step {
  const { spec, status } = scene
  const { candidate } = status
  if (candidate !== undefined && isGone(scene, stableOf(scene))) {
    // There is nothing left beside which it could come up.
    const alone = { stable: candidate, candidate: undefined, returnable: false, returnsTo: undefined }
    return entering(scene, 'update', allTo(candidate), alone)
  }
  if (status.step === 'back') return back(scene)
  if (isElsewhere(scene)) return beginning(scene)
  if (spec.abort) return status.step === 'clear' ? abortedClear(scene) : goingBack(scene, status.failure)
  if (status.phase === 'failed' && candidate === undefined && status.step !== 'clear') return tryingOn(scene)
  if (status.failure) {
    if (spec.resume <= (status.resumed ?? 0)) return heldUp(scene)
    const { failure: _, resumed: __, waitingOn: ___, ...rest } = status
    return onward({ ...scene, status: { ...rest, retriedAt: isoTime(scene.now) } })
  }
  if (spec.paused) return paused(scene)
  if (candidate === undefined) {
    return status.step === 'clear' ? clear(scene) : update(scene)
  }
  return besides(scene, candidate)
}

function besides(scene: Scene, candidate: InstanceSlot): Step {
  const { step } = scene.status
  switch (step) {
    case 'fill':
      return fill(scene, candidate)
    case 'gate':
      return gate(scene, candidate)
    case 'shift':
      return shift(scene, candidate)
    case 'switch':
      return takeOver(scene, candidate)
    case 'warm':
      return warm(scene, candidate)
    case 'clear':
    case 'update':
    case 'back':
    case undefined:
      return entering(scene, 'fill', allTo(stableOf(scene)))
    default:
      return step satisfies never
  }
}

/** In its own slot the engine is told to hold still too; beside another one nothing more is begun. */
function paused(scene: Scene): Step {
  const { status } = scene
  const slot = stableOf(scene)
  const there = factsOf(scene, slot)
  const content = contentOf(scene)
  const isUnderWay = status.candidate === undefined && there && !there.deleting && has(there, content)
  const deeds = isUnderWay && !there.paused ? [{ do: 'put', slot, ...content, paused: true } as const] : []
  const wait = { on: 'person', for: 'someone to resume it' } as const
  return waiting(scene, status.weights ?? allTo(slot), wait, {}, deeds)
}

/** What is to be changed in its slot cannot be, because it is in another place: begun anew. */
function isElsewhere(scene: Scene): boolean {
  const there = factsOf(scene, stableOf(scene))
  const isInPlace = scene.status.candidate === undefined && scene.status.step !== 'clear'
  return isInPlace && there !== undefined && !there.deleting && !isSamePlace(scene, there)
}

function isGone({ facts }: Scene, slot: InstanceSlot): boolean {
  const there = facts.slots[slot]
  return there === undefined || there.deleting
}
