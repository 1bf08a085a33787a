/** Pure: the last step of every way. One slot has all requests, and the other one goes. */
import { type InstanceSlot, otherSlot, type RolloutPhase } from '@gantry/core'
import { ending, waiting } from './outcomes.ts'
import type { Scene, Step } from './step.ts'
import { factsOf } from './target.ts'
import { allTo, safeWeights, sameWeights, type Weights } from './weights.ts'

/** The edge tells by itself; this is for the word that was missed. */
const edgeMs = 1000

/** `undefined`: the edge does it, and the engine where it has to. Also asked where there is only one slot: a new workload is there when it can be reached. */
export function routing(scene: Scene, slot: InstanceSlot, meant: Weights): Step | undefined {
  const { status, facts } = scene
  const safe = safeWeights(meant, facts.slots)
  if (!sameWeights(safe, meant)) {
    const other = safe.a > meant.a ? 'a' : 'b'
    const what = `slot ${otherSlot(other)} to be ready; slot ${other} answers meanwhile`
    return waiting(scene, meant, { on: 'replicas', for: what })
  }
  const { acknowledged, engine } = facts.traffic
  const isSaid = sameWeights(status.weights, meant)
  if (isSaid && acknowledged && engine?.acknowledged !== false) return undefined
  const who = isSaid && acknowledged ? 'the engine' : 'the edge'
  const why = who === 'the engine' && engine?.why !== undefined ? ` (${engine.why})` : ''
  const what = `${who} to send ${meant[slot]} % of the requests to slot ${slot}${why}`
  return waiting(scene, meant, { on: 'edge', for: what, afterMs: edgeMs })
}

/** Whoever is not needed any more goes only when nobody is sent there and somebody else is in its place. */
export function finishing(scene: Scene, final: InstanceSlot, phase: RolloutPhase): Step {
  const meant = allTo(final)
  const wait = routing(scene, final, meant)
  if (wait) return wait
  const other = factsOf(scene, otherSlot(final))
  const deeds = other && !other.deleting ? [{ do: 'remove', slot: other.slot } as const] : []
  return ending(scene, phase, { stable: final, weights: meant }, deeds)
}
