/** Pure: a stateful_set, one at a time: new ones from the lowest up, replacements and farewells from the highest down. */
import type { Move } from './plan.ts'
import { type ReplicaView, untilAvailable, type Wanted, wantedCount } from './view.ts'

export function orderedMoves(wanted: Wanted, all: readonly ReplicaView[], now: number): Move[] {
  // A number is an identity with storage of its own: nobody takes it before the one who has it is gone.
  if (all.some(({ leaving }) => leaving)) return []
  const want = wantedCount(wanted)
  const descending = [...all].sort((left, right) => right.index - left.index)
  const [beyond] = descending.filter(({ index }) => index >= want)
  if (beyond) return [{ do: 'leave', id: beyond.id }]
  const taken = new Set(all.map(({ index }) => index))
  const missing = Array.from({ length: want }, (_, index) => index).find((index) => !taken.has(index))
  const current = all.filter(({ specHash }) => specHash === wanted.specHash)
  const steady = current.every((each) => untilAvailable(wanted, each, now) === 0)
  if (missing !== undefined) return steady ? [{ do: 'create', index: missing }] : []
  const old = descending.filter(({ specHash }) => specHash !== wanted.specHash)
  // One that serves nobody costs nothing; the others go one by one, each when its successor is well.
  const next = old.find(({ ready }) => ready === false) ?? old[0]
  return next && (steady || next.ready === false) ? [{ do: 'leave', id: next.id }] : []
}
