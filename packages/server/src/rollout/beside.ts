/** Pure: the release comes up in the other slot, beside the one that is trusted, and then takes over. */
import { type InstanceSlot, otherSlot } from '@gantry/core'
import { finishing, routing } from './finishing.ts'
import { entering, isoTime, waiting } from './outcomes.ts'
import { settling, watching } from './settling.ts'
import type { Scene, Step } from './step.ts'
import { contentOf, factsOf, has, isSamePlace, putting, stableOf } from './target.ts'
import { allTo, isUsable, weightsWith } from './weights.ts'

/** How often figures of the edge are looked at, where an analysis needs them. */
const analysisMs = 5000

export function fill(scene: Scene, candidate: InstanceSlot): Step {
  const stable = stableOf(scene)
  const meant = allTo(stable)
  const there = factsOf(scene, candidate)
  if (there?.deleting) return waiting(scene, meant, { on: 'removal', for: `slot ${candidate} to be gone` })
  if (scene.facts.wanted === 0) return waiting(scene, meant, { on: 'workload', for: 'the workload to run again' })
  // What an earlier rollout left there is changed, or taken away, only when nobody is sent there any more.
  const isElsewhere = there !== undefined && !isSamePlace(scene, there)
  const isLeftOver = there !== undefined && (isElsewhere || !has(there, contentOf(scene)))
  const mustStay = isElsewhere && isUsable(there)
  const unroute =
    isLeftOver && (mustStay || isUsable(factsOf(scene, stable))) ? routing(scene, stable, meant) : undefined
  if (unroute) return unroute
  if (isElsewhere) {
    const what = `slot ${candidate} to be gone from provider "${there.provider}"`
    return waiting(scene, meant, { on: 'removal', for: what }, {}, [{ do: 'remove', slot: candidate }])
  }
  return settling(scene, candidate, meant, putting(there, candidate, contentOf(scene))) ?? filled(scene, candidate)
}

/** A person who wants to go back has looked already. */
function filled(scene: Scene, candidate: InstanceSlot): Step {
  const { strategy, trigger } = scene.spec
  const meant = allTo(stableOf(scene))
  if (trigger === 'rollback') return entering(scene, 'switch', allTo(candidate))
  if (strategy.type === 'canary') return entering(scene, 'shift', meant, { stepIndex: 0 })
  const waits = strategy.type === 'blue_green' && !strategy.autoPromote
  return waits ? entering(scene, 'gate', meant) : entering(scene, 'switch', allTo(candidate))
}

export function gate(scene: Scene, candidate: InstanceSlot): Step {
  const meant = allTo(stableOf(scene))
  const trouble = lost(scene, candidate) ?? watching(scene, candidate, meant)
  if (trouble) return trouble
  const opened = passing(scene)
  if (opened) return entering(scene, 'switch', allTo(candidate), opened)
  const what = `someone to promote v${scene.spec.release}, which is ready in slot ${candidate}`
  return waiting(scene, meant, { on: 'person', for: what })
}

export function shift(scene: Scene, candidate: InstanceSlot): Step {
  const { spec, status, now } = scene
  const index = status.stepIndex ?? 0
  const step = spec.strategy.type === 'canary' ? spec.strategy.steps[index] : undefined
  // With nobody there to share the requests with, there is nothing to compare.
  const isAlone = !isUsable(factsOf(scene, stableOf(scene))) && isUsable(factsOf(scene, candidate))
  if (!step || isAlone) return entering(scene, 'switch', allTo(candidate))
  const meant = weightsWith(candidate, step.weight)
  const trouble = lost(scene, candidate) ?? watching(scene, candidate, meant) ?? routing(scene, candidate, meant)
  if (trouble) return trouble
  const next = { stepIndex: index + 1 }
  // The step begins when the edge does as it says.
  const hasBegun = status.waitingOn === 'time' || status.waitingOn === 'person'
  const since = hasBegun && status.since !== undefined ? status.since : isoTime(now)
  if (step.manual) {
    const opened = passing(scene)
    if (opened) return entering(scene, 'shift', meant, { ...next, ...opened })
    const what = `someone to promote v${spec.release}, which gets ${step.weight} % of the requests`
    return waiting(scene, meant, { on: 'person', for: what, ...looking(scene) }, { since })
  }
  const leftMs = Date.parse(since) + (step.pauseSeconds ?? 0) * 1000 - now
  if (leftMs <= 0) return entering(scene, 'shift', meant, next)
  const what = `${step.pauseSeconds} s to pass with ${step.weight} % of the requests at v${spec.release}`
  const afterMs = Math.min(leftMs, looking(scene).afterMs ?? leftMs)
  return waiting(scene, meant, { on: 'time', for: what, afterMs }, { since })
}

export function takeOver(scene: Scene, candidate: InstanceSlot): Step {
  const { strategy } = scene.spec
  const meant = allTo(candidate)
  const trouble = lost(scene, candidate) ?? watching(scene, candidate, meant) ?? routing(scene, candidate, meant)
  if (trouble) return trouble
  const isWarm = strategy.type === 'blue_green' && strategy.warmSeconds > 0
  return isWarm ? entering(scene, 'warm', meant) : finishing(scene, candidate, 'succeeded')
}

export function warm(scene: Scene, candidate: InstanceSlot): Step {
  const { spec, status, now } = scene
  const meant = allTo(candidate)
  const trouble = lost(scene, candidate) ?? watching(scene, candidate, meant)
  if (trouble) return trouble
  const seconds = spec.strategy.type === 'blue_green' ? spec.strategy.warmSeconds : 0
  const leftMs = Date.parse(status.since ?? isoTime(now)) + seconds * 1000 - now
  if (leftMs <= 0) return finishing(scene, candidate, 'succeeded')
  const what = `${seconds} s to pass in which slot ${otherSlot(candidate)} is kept`
  return waiting(scene, meant, { on: 'time', for: what, afterMs: leftMs })
}

/** Somebody has taken the slot away, or changed it: it is filled again. */
function lost(scene: Scene, candidate: InstanceSlot): Step | undefined {
  const there = factsOf(scene, candidate)
  const isThere = there && !there.deleting && isSamePlace(scene, there) && has(there, contentOf(scene))
  return isThere ? undefined : entering(scene, 'fill', allTo(stableOf(scene)))
}

/** Gates are counted as they come, so that one word of a person opens one gate. */
function passing({ spec, status }: Scene): { gates: number } | undefined {
  const gates = status.gates ?? 0
  return spec.promote > gates ? { gates: gates + 1 } : undefined
}

function looking({ spec }: Scene): { afterMs?: number } {
  return spec.strategy.type === 'canary' && spec.strategy.analysis ? { afterMs: analysisMs } : {}
}
