/** Pure: what becomes of a rollout that failed, or that a person wants to end. */
import type { RolloutFailure } from '@gantry/core'
import { ending, entering, isoTime, waiting } from './outcomes.ts'
import type { Scene, Step } from './step.ts'
import { stableOf } from './target.ts'
import { allTo } from './weights.ts'

export function failing(scene: Scene, failure: RolloutFailure): Step {
  const { spec } = scene
  if (spec.strategy.onFailure === 'pause') return heldUp({ ...scene, status: { ...scene.status, failure } })
  return goingBack(scene, failure)
}

/** A failure that a person is to look at. Requests go on as they went, unless nobody answers them. */
export function heldUp(scene: Scene): Step {
  const { spec, status } = scene
  const why = status.failure?.message ?? 'it failed'
  const wait = { on: 'person', for: `someone to resume or abort it: ${why}` } as const
  const resumed = status.resumed ?? spec.resume
  return waiting(scene, status.weights ?? allTo(stableOf(scene)), wait, { resumed })
}

/** Back to what was before, if there is such a thing. */
export function goingBack(scene: Scene, failure: RolloutFailure | undefined): Step {
  const { spec, status } = scene
  const stable = stableOf(scene)
  const kept = failure ? { failure } : {}
  if (status.returnable) return entering(scene, 'back', allTo(stable), kept)
  if (spec.abort) return ending(scene, 'aborted', kept)
  const wait = { on: 'replicas', for: `v${spec.release} to be ready: ${failure?.message ?? 'it failed'}` } as const
  const since = isoTime(scene.now)
  return waiting(scene, allTo(stable), wait, { ...kept, phase: 'failed', since })
}
