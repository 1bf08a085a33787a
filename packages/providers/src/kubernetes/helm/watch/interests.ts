/** What each release has to be told of: which kinds are followed for it, and in which namespaces its objects are. */

import { type Ref, refKey } from '../../../ref.ts'
import type { Follow } from '../../manifests/watch/followed-kinds.ts'

type Interest = { readonly ref: Ref; readonly follows: readonly Follow[]; readonly places: ReadonlySet<string> }

export class Interests {
  readonly #byRef = new Map<string, Interest>()
  /** By key: how many releases need it. */
  readonly #needed = new Map<string, { readonly follow: Follow; count: number }>()
  readonly #inPlace = new Map<string, Map<string, Ref>>()

  /** Whether something is needed now that was not, or the other way. */
  set(ref: Ref, follows: readonly Follow[], places: ReadonlySet<string>): boolean {
    const key = refKey(ref)
    let differs = false
    for (const follow of follows) differs = this.#need(follow) || differs
    differs = this.#forget(key) || differs
    this.#byRef.set(key, { ref, follows, places })
    for (const place of places) {
      const there = this.#inPlace.get(place) ?? new Map<string, Ref>()
      this.#inPlace.set(place, there.set(key, ref))
    }
    return differs
  }

  delete(ref: Ref): boolean {
    return this.#forget(refKey(ref))
  }

  follows(): Iterable<Follow> {
    return [...this.#needed.values()].map(({ follow }) => follow)
  }

  in(namespace: string): Iterable<Ref> {
    return this.#inPlace.get(namespace)?.values() ?? []
  }

  all(): Iterable<Ref> {
    return [...this.#byRef.values()].map(({ ref }) => ref)
  }

  #need(follow: Follow): boolean {
    const needed = this.#needed.get(follow.key)
    if (needed) needed.count += 1
    else this.#needed.set(follow.key, { follow, count: 1 })
    return needed === undefined
  }

  #forget(key: string): boolean {
    const before = this.#byRef.get(key)
    if (!before) return false
    this.#byRef.delete(key)
    for (const place of before.places) {
      const there = this.#inPlace.get(place)
      there?.delete(key)
      if (there?.size === 0) this.#inPlace.delete(place)
    }
    let differs = false
    for (const { key: name } of before.follows) {
      const needed = this.#needed.get(name)
      if (!needed) continue
      needed.count -= 1
      if (needed.count === 0) differs = this.#needed.delete(name)
    }
    return differs
  }
}
