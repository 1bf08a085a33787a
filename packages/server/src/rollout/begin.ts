/** Pure: how a rollout begins, from whatever state the slots are in. */
import { type InstanceSlot, otherSlot, type RolloutStatus } from '@gantry/core'
import type { RolloutFacts } from './facts.ts'
import { isoTime } from './outcomes.ts'
import type { Scene } from './step.ts'
import { contentOf, has, isSamePlace } from './target.ts'
import { allTo, isUsable, safeWeights } from './weights.ts'

/** The status with everything decided that holds until the end. */
export function begun(scene: Scene): RolloutStatus {
  const { facts, now, status } = scene
  const serving = servingSlot(facts)
  const at = isoTime(now)
  const way = wayFrom(scene, serving)
  const previousStamp = facts.slots[serving]?.restartStamp
  const { from, release, restartStamp } = scene.spec
  const isOther = from !== release || previousStamp !== restartStamp
  return {
    ...status,
    ...way,
    phase: 'progressing',
    weights: safeWeights(allTo(serving), facts.slots),
    gates: 0,
    startedAt: at,
    since: at,
    progressAt: at,
    ...(previousStamp !== undefined && { previousStamp }),
    ...returnOf(scene, way, isOther),
  }
}

/** Beside it nothing is touched, whatever it is; in its own slot what was trusted last is put back. A place that was left is not. */
function returnOf({ spec, facts }: Scene, way: Way, isOther: boolean): Pick<RolloutStatus, 'returnable' | 'returnsTo'> {
  const beside = way.candidate !== undefined && way.stable !== undefined ? facts.slots[way.stable]?.release : undefined
  const returnsTo = beside ?? (way.step !== 'clear' && isOther ? spec.from : undefined)
  return { returnable: returnsTo !== undefined, ...(returnsTo !== undefined && { returnsTo }) }
}

/** Who answers now; where that is open, who answered before, and who was trusted. */
export function servingSlot({ slots, older, stable }: RolloutFacts): InstanceSlot {
  const there = (['a', 'b'] as const).filter((slot) => slots[slot] && !slots[slot].deleting)
  const [only] = there
  if (only === undefined) return slots.a && !slots.b ? 'b' : 'a'
  if (there.length === 1) return only
  const answering = there.filter((slot) => isUsable(slots[slot]))
  const [answers] = answering
  if (answering.length === 1 && answers !== undefined) return answers
  const { weights } = older ?? {}
  if (weights && weights.a !== weights.b) return weights.a > weights.b ? 'a' : 'b'
  return older?.stable ?? stable ?? 'a'
}

type Way = Pick<RolloutStatus, 'stable' | 'candidate' | 'step'>

/** In the slot there is, or in the other one beside it. */
function wayFrom(scene: Scene, serving: InstanceSlot): Way {
  const { spec, facts } = scene
  const there = facts.slots[serving]
  const other = otherSlot(serving)
  const inPlace: Way = { stable: serving, step: 'update' }
  const beside: Way = { stable: serving, candidate: other, step: 'fill' }
  if (!there || there.deleting) return inPlace
  if (!isSamePlace(scene, there)) {
    // Where two must never run at once, the old place is left before the new one is taken.
    const alone = spec.type === 'stateful_set' || there.type === 'stateful_set' || spec.strategy.type === 'recreate'
    return alone ? { stable: other, step: 'clear' } : beside
  }
  if (spec.type === 'stateful_set' || has(there, contentOf(scene))) return inPlace
  // Nothing runs, so there is nothing to come up beside.
  if (facts.wanted === 0 || spec.trigger === 'restart') return inPlace
  return spec.strategy.type === 'blue_green' || spec.strategy.type === 'canary' ? beside : inPlace
}
