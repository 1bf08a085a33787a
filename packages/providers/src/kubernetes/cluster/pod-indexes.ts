/** Which number each replica of an instance has. A Deployment's pods have none of their own: theirs are given here. Pure. */
import type { PodSeen } from '../observe/seen.ts'

export class PodIndexes {
  /** By uid. */
  readonly #given = new Map<string, number>()

  /** Of all pods of the instance, by uid: a number that was given stays, and the lowest that is free is given next. */
  of(pods: readonly PodSeen[]): ReadonlyMap<string, number> {
    const there = new Set(pods.map(({ uid }) => uid))
    for (const uid of this.#given.keys()) if (!there.has(uid)) this.#given.delete(uid)
    const taken = new Set(this.#given.values())
    for (const { uid, ordinal } of [...pods].sort(byAge)) {
      if (this.#given.has(uid)) continue
      let index = ordinal ?? 0
      while (ordinal === undefined && taken.has(index)) index += 1
      this.#given.set(uid, index)
      taken.add(index)
    }
    return this.#given
  }
}

/** So that a server that has just started gives the same numbers, as far as the cluster knows who came first. */
const byAge = (left: PodSeen, right: PodSeen): number =>
  left.createdAt - right.createdAt || (left.name < right.name ? -1 : 1)
