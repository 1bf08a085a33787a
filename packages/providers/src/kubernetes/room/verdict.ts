/** Pure: whether a pod that has found no node waits for one, or will not get one as things stand. */
import type { RoomWord } from './words.ts'

/** No node may come to take a pod in this time: until then it is only waited for. A scheduler hears late of claims. */
export const placeMs = 10_000

/** An autoscaler looks at such pods every ten seconds or so, and says what it does when it has done it. */
export const firstWordMs = 60_000

/** A pod that no node takes, in the scheduler's sentence, since when. */
export type Unplaced = {
  readonly message: string
  readonly at: number
  /** The node that it is to have when others have left it: the scheduler has sent them away. */
  readonly nominated?: string | undefined
}

/** What is known of its prospects beside what it says itself. */
export type RoomHeard = {
  /** When it was last looked for; `undefined`: never yet. */
  readonly lookedAt?: number
  readonly word?: RoomWord
  /** One that looks after this cluster, and may have said nothing yet. */
  readonly autoscaler?: string
}

export type Prospect =
  /** Reads well after "waiting for a node: ". `isComing`: somebody has said so. */
  | { readonly state: 'waits'; readonly isComing: boolean; readonly message: string }
  | { readonly state: 'stuck'; readonly message: string }

export function prospectOf({ message, at, nominated }: Unplaced, heard: RoomHeard, now: number): Prospect {
  const { lookedAt, word, autoscaler } = heard
  if (word?.coming) return { state: 'waits', isComing: true, message: word.message }
  if (nominated) return { state: 'waits', isComing: true, message: `room is made for it on node ${nominated}` }
  const waits = (words: string): Prospect => ({ state: 'waits', isComing: false, message: words })
  if (now - at < placeMs) return waits(message)
  if (word) return { state: 'stuck', message: `${message}; ${word.message}` }
  // What was said since the last look may be that room is made.
  if (lookedAt === undefined || lookedAt - at < placeMs) return waits(message)
  if (autoscaler !== undefined && now - at < firstWordMs) {
    return waits(`${message}; ${autoscaler} has not said yet whether it makes room`)
  }
  return { state: 'stuck', message }
}
