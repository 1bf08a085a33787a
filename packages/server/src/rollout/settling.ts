/** Pure: waiting for a slot to be as it was asked to be, and what it means that it is not. */
import type { InstanceSlot } from '@gantry/core'
import { failing } from './failing.ts'
import { waiting } from './outcomes.ts'
import { progressOf, tooLate } from './progress.ts'
import type { Deed, Scene, Step } from './step.ts'
import { contentOf, factsOf, has, nameOf } from './target.ts'
import { failureOf } from './verdict.ts'
import { isUsable, type Weights } from './weights.ts'

/** `undefined`: the slot runs the release, all of it, for long enough. */
export function settling(scene: Scene, slot: InstanceSlot, meant: Weights, deeds: readonly Deed[]): Step | undefined {
  const there = factsOf(scene, slot)
  if (deeds.length === 0 && there?.settled && !there.deleting && has(there, contentOf(scene))) return undefined
  return blinded(scene, slot, meant, deeds) ?? inTime(scene, slot, meant, deeds)
}

/** `undefined`: the slot, which was as asked for once, still answers. */
export function watching(scene: Scene, slot: InstanceSlot, meant: Weights): Step | undefined {
  const there = factsOf(scene, slot)
  if (scene.facts.wanted === 0) {
    return waiting(scene, meant, { on: 'workload', for: 'the workload to run again' })
  }
  const blind = blinded(scene, slot, meant, [])
  if (blind) return blind
  const failure = failureOf(scene, there)
  if (failure) return failing(scene, failure)
  return isUsable(there) ? undefined : inTime(scene, slot, meant, [])
}

export function blinded(scene: Scene, slot: InstanceSlot, meant: Weights, deeds: readonly Deed[]): Step | undefined {
  const there = factsOf(scene, slot)
  if (!there?.blind) return undefined
  const { since, message } = there.blind
  const provider = `provider "${there.provider}" to be reachable again (not since ${since}: ${message})`
  return waiting(scene, meant, { on: 'engine', for: provider }, {}, deeds)
}

function inTime(scene: Scene, slot: InstanceSlot, meant: Weights, deeds: readonly Deed[]): Step {
  const there = factsOf(scene, slot)
  const failure = failureOf(scene, there)
  if (failure) return failing(scene, failure)
  const { patch, leftMs } = progressOf(scene, there)
  if (leftMs === 0) return failing(scene, tooLate(scene, there))
  // Why is told by the instance; here it would be written down anew with its every word.
  const count = there?.current ? ` (${there.updatedReady} of ${there.wanted} replicas are)` : ''
  const what = `${nameOf(scene, slot, scene.spec.release)} to be ready${count}`
  return waiting(scene, meant, { on: 'replicas', for: what, afterMs: leftMs }, patch, deeds)
}
