/** Pure: the release comes into the slot that is there. How replicas give way within it is the engine's business. */
import { hasEnded, otherSlot } from '@gantry/core'
import { finishing } from './finishing.ts'
import { ending, entering, waiting } from './outcomes.ts'
import { settling } from './settling.ts'
import type { Scene, Step } from './step.ts'
import { contentOf, factsOf, putting, stableOf } from './target.ts'
import { allTo } from './weights.ts'

export function update(scene: Scene): Step {
  const slot = stableOf(scene)
  const meant = allTo(slot)
  const there = factsOf(scene, slot)
  if (there?.deleting) return waiting(scene, meant, { on: 'removal', for: `slot ${slot} to be gone` })
  const deeds = putting(there, slot, contentOf(scene))
  return settling(scene, slot, meant, deeds) ?? finishing(scene, slot, 'succeeded')
}

/** With nothing to go back to, what failed is tried on, and may still become ready. */
export function tryingOn(scene: Scene): Step {
  const slot = stableOf(scene)
  const there = factsOf(scene, slot)
  const deeds = there?.deleting ? [] : putting(there, slot, contentOf(scene))
  if (deeds.length === 0 && there?.settled && !there.deleting) {
    const step = finishing(scene, slot, 'succeeded')
    // While the edge is waited for it has still failed: as one that goes on it would be held up for that failure.
    return hasEnded(step.status.phase) ? step : { ...step, status: { ...step.status, phase: 'failed' } }
  }
  const { spec, status } = scene
  const why = there?.waitingFor ?? status.failure?.message
  const wait = { on: 'replicas', for: `v${spec.release} to be ready${why === undefined ? '' : `: ${why}`}` } as const
  return waiting(scene, allTo(slot), wait, { phase: 'failed', progressAt: status.progressAt }, deeds)
}

/** The old place is left before the new one is taken. */
export function clear(scene: Scene): Step {
  const slot = stableOf(scene)
  const old = factsOf(scene, otherSlot(slot))
  if (!old) return entering(scene, 'update', allTo(slot))
  const wait = { on: 'removal', for: `slot ${old.slot} on provider "${old.provider}" to be gone` } as const
  return waiting(scene, allTo(slot), wait, {}, old.deleting ? [] : [{ do: 'remove', slot: old.slot }])
}

/** What has not begun to leave can stay; what has is past coming back, and the new place is all there is. */
export function abortedClear(scene: Scene): Step {
  const old = factsOf(scene, otherSlot(stableOf(scene)))
  if (!old || old.deleting) return clear(scene)
  return ending(scene, 'aborted', { stable: old.slot, weights: allTo(old.slot) })
}
