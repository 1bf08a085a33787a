/** Pure: where the release is brought about, and what is there already. */
import { type InstanceSlot, otherSlot } from '@gantry/core'
import type { SlotFacts } from './facts.ts'
import type { Deed, Scene } from './step.ts'

export const stableOf = ({ status }: Scene): InstanceSlot => status.stable ?? 'a'

/** The slot that is to run the release: the other one, where the strategy fills that, else the one there is. */
export const targetOf = (scene: Scene): InstanceSlot => scene.status.candidate ?? stableOf(scene)

export const factsOf = ({ facts }: Scene, slot: InstanceSlot): SlotFacts | undefined => facts.slots[slot]

/** What a slot is to be made of. */
export type Content = { readonly release: number; readonly restartStamp: string | undefined }

export const contentOf = ({ spec }: Scene): Content => ({ release: spec.release, restartStamp: spec.restartStamp })

/** An Instance never changes its place or its nature: those take another one. */
export function isSamePlace({ spec }: Scene, there: SlotFacts): boolean {
  return there.provider === spec.provider && there.type === spec.type
}

export function has(there: SlotFacts, content: Content): boolean {
  return there.release === content.release && there.restartStamp === content.restartStamp
}

/** The deed that is still to be done for the slot to run this; none: it was told so. */
export function putting(there: SlotFacts | undefined, slot: InstanceSlot, content: Content, paused = false): Deed[] {
  if (there && has(there, content) && there.paused === paused) return []
  return [{ do: 'put', slot, ...content, paused }]
}

/** Its place in the sentence: `v4`, or `v4 in slot b` where there are two. */
export function nameOf(scene: Scene, slot: InstanceSlot, release: number): string {
  return factsOf(scene, otherSlot(slot)) ? `v${release} in slot ${slot}` : `v${release}`
}
