/** Pure: back to what was before, because it failed or because a person says so. */
import type { RolloutPhase } from '@gantry/core'
import { finishing } from './finishing.ts'
import { waiting } from './outcomes.ts'
import { blinded } from './settling.ts'
import type { Scene, Step } from './step.ts'
import { factsOf, has, putting, stableOf } from './target.ts'
import { allTo } from './weights.ts'

export function back(scene: Scene): Step {
  const { spec, status } = scene
  // What went back by itself stays that, also if somebody says so meanwhile.
  const isByItself = status.failure !== undefined && spec.strategy.onFailure === 'rollback'
  const phase: RolloutPhase = isByItself ? 'rolled_back' : 'aborted'
  const slot = stableOf(scene)
  // Beside it nothing was touched: requests go back, and the other slot goes.
  if (status.candidate !== undefined) return finishing(scene, slot, phase)
  const content = { release: status.returnsTo ?? spec.from ?? spec.release, restartStamp: status.previousStamp }
  const there = factsOf(scene, slot)
  const meant = allTo(slot)
  if (there?.deleting) return waiting(scene, meant, { on: 'removal', for: `slot ${slot} to be gone` })
  const deeds = putting(there, slot, content)
  if (deeds.length === 0 && there?.settled && has(there, content)) return finishing(scene, slot, phase)
  const held = there?.stalled?.message ?? there?.waitingFor
  const what = `v${content.release} to be back${held === undefined ? '' : ` (${held})`}`
  return blinded(scene, slot, meant, deeds) ?? waiting(scene, meant, { on: 'replicas', for: what }, {}, deeds)
}
