/** Pure: who gets which part of the requests. */
import { type InstanceSlot, otherSlot } from '@gantry/core'
import type { SlotFacts, Slots } from './facts.ts'

/** In percent; they sum to 100. */
export type Weights = Readonly<Record<InstanceSlot, number>>

export function weightsWith(slot: InstanceSlot, percent: number): Weights {
  return slot === 'a' ? { a: percent, b: 100 - percent } : { a: 100 - percent, b: percent }
}

export const allTo = (slot: InstanceSlot): Weights => weightsWith(slot, 100)

/** It is there to stay, and nothing says that none of its replicas is ready. */
export function isUsable(facts: SlotFacts | undefined): boolean {
  return facts !== undefined && !facts.deleting && facts.ready !== 0
}

/**
 * What was meant, unless that sends requests where nobody answers while somebody else would: an unproven release that
 * answers is better than a trusted one that does not.
 */
export function safeWeights(meant: Weights, slots: Slots): Weights {
  const dead = (['a', 'b'] as const).find((slot) => meant[slot] > 0 && !isUsable(slots[slot]))
  if (dead === undefined) return meant
  return isUsable(slots[otherSlot(dead)]) ? allTo(otherSlot(dead)) : meant
}

export function sameWeights(left: Weights | undefined, right: Weights): boolean {
  return left !== undefined && left.a === right.a && left.b === right.b
}
