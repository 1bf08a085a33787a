/**
 * Pure: whether a daemon can never start a container again. One that dies in the middle of a start leaves behind what
 * containerd, below it, has made of the container by then. The next daemon knows nothing of that, takes the container for
 * one that was never started, and is refused from then on, as the id is taken. Today's may also keep what it had made of it
 * in the network, by name.
 */
import type { Fault } from '@gantry/core'
import { wordsOf } from '../api/faults.ts'
import type { ContainerSeen } from './seen.ts'
import { lives } from './seen.ts'

export function isHeldBelow(container: ContainerSeen, refusal: Fault): boolean {
  // A container that cannot run as it is wanted (no such program, a port that is taken) is refused for another reason.
  if (!reasons.has(refusal.reason) || lives(container)) return false
  const words = wordsOf(refusal)
  return saysIdIsTaken(words, container.id) || words.includes(`endpoint with name ${container.name} already exists`)
}

const reasons: ReadonlySet<string> = new Set(['engine_refused', 'engine_object_conflict', 'engine_object_exists'])

/** The status is the same for whatever the daemon cannot do, so only its words are left: of 20.10, and of 23 to 28. */
function saysIdIsTaken(words: string, id: string): boolean {
  const ofItself = words === 'id already in use' || words.includes('container with given ID already exists')
  return ofItself || (words.includes(id) && /\b(?:file|already) exists\b/.test(words))
}
