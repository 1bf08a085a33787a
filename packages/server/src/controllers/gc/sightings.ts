/** Pure: what is ours on an engine and belongs to nothing, and how often it was seen so. */
import { type Observed, type Ref, refKey } from '@gantry/providers'

export type Sighting = {
  readonly ref: Ref
  readonly replicas: number
  /** How often in a row it was seen without an owner. */
  readonly times: number
  readonly since: Date
}

/** By `refKey`. */
export type Sightings = ReadonlyMap<string, Sighting>

/** So often must it have been seen: a single look may have been between two writes. */
export const sightingsBeforeRemoval = 2

/** What has an owner again, or is gone, is forgotten. */
export function sightAgain(before: Sightings, ownerless: readonly Observed[], now: Date): Sightings {
  return new Map(
    ownerless.map(({ ref, replicas }) => {
      const known = before.get(refKey(ref))
      const times = (known?.times ?? 0) + 1
      return [refKey(ref), { ref, replicas: replicas.length, times, since: known?.since ?? now }]
    }),
  )
}

export const isRemovable = ({ times }: Sighting): boolean => times >= sightingsBeforeRemoval
