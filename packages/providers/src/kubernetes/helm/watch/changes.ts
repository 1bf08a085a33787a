/**
 * What somebody else has changed of the objects of releases. It is told while an object goes by, since little of it is kept; one
 * of which only metadata is watched is looked at as a whole where Helm is not on record for all of it, once for each of its
 * versions.
 */
import { type Call, isFault } from '@gantry/core'
import { type Ref, refKey } from '../../../ref.ts'
import type { ObjectAt, ObjectsApi } from '../../api/api.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { readyWhenThere } from '../../manifests/kinds.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import { shortHash } from '../../manifests/short-hash.ts'
import { placeKey } from '../../manifests/watch/followed-kinds.ts'
import type { SeenChange, SeenObject } from '../../manifests/watch/seen-object.ts'
import { changedFields, mayBeChanged } from '../view/changed.ts'

/** An object of a release, and where it is. */
export type WrittenAt = { readonly kind: string; readonly namespace: string | undefined; readonly one: SetObject }

export type ChangesParts = {
  readonly objects: ObjectsApi
  readonly life: () => Call
  /** More is known of this one. */
  readonly told: (ref: Ref) => void
  /** What was answered is not understood. */
  readonly doubt: (error: unknown) => void
}

/** `version`: of which object this is the answer, or will be; empty: it has to be asked for again. */
type Answer = { readonly of: string; readonly version: string; readonly paths: readonly string[] }

export class Changes {
  readonly #parts: ChangesParts
  readonly #byRef = new Map<string, readonly WrittenAt[]>()
  readonly #byPlace = new Map<string, SetObject>()
  /** By place; the last one stands until there is another. */
  readonly #answers = new Map<string, Answer>()
  readonly #hashes = new WeakMap<SetObject, string>()
  readonly #waiting: (() => Promise<void>)[] = []
  #isAsking = false

  constructor(parts: ChangesParts) {
    this.#parts = parts
  }

  /** What a release has now. */
  set(ref: Ref, written: readonly WrittenAt[]): void {
    const kept = new Set(written.map(keyOf))
    const before = this.#byRef.get(refKey(ref)) ?? []
    for (const each of before) if (!kept.has(keyOf(each))) this.#forget(each)
    this.#byRef.set(refKey(ref), written)
    for (const each of written) this.#byPlace.set(keyOf(each), each.one)
  }

  delete(ref: Ref): void {
    for (const each of this.#byRef.get(refKey(ref)) ?? []) this.#forget(each)
    this.#byRef.delete(refKey(ref))
  }

  /** Of an object that goes by. `undefined`: it is of no release that we know. */
  passing(kind: string, raw: KubeObject): SeenChange | undefined {
    const { namespace, name } = raw.metadata
    const one = this.#byPlace.get(`${kind} ${placeKey(namespace, name)}`)
    if (!one) return undefined
    const of = this.#hashOf(one)
    if (!readyWhenThere(one.apiVersion, one.kind)) return { of, paths: changedFields(one, raw) }
    return mayBeChanged(one, raw) ? { of } : { of, paths: [] }
  }

  /** Of an object as it was last seen. */
  of(ref: Ref, at: ObjectAt, written: WrittenAt, { resourceVersion, changed }: SeenObject): readonly string[] {
    const of = this.#hashOf(written.one)
    if (changed?.of === of && changed.paths) return changed.paths
    const answer = this.#answers.get(keyOf(written))
    if (answer?.of === of && answer.version === resourceVersion) return answer.paths
    const before = answer?.paths ?? []
    this.#answers.set(keyOf(written), { of, version: resourceVersion, paths: before })
    this.#waiting.push(() => this.#look(ref, at, written, resourceVersion))
    if (!this.#isAsking) void this.#ask()
    return before
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await next()
    }
    this.#isAsking = false
  }

  async #look(ref: Ref, at: ObjectAt, written: WrittenAt, version: string): Promise<void> {
    const { objects, life, told, doubt } = this.#parts
    const key = keyOf(written)
    const of = this.#hashOf(written.one)
    try {
      const whole = await objects.get(at, life())
      const before = this.#answers.get(key)
      // It has gone meanwhile, or its release has.
      if (!whole || !before) return
      const paths = changedFields(written.one, whole)
      this.#answers.set(key, { of, version, paths })
      if (JSON.stringify(paths) !== JSON.stringify(before.paths)) told(ref)
    } catch (error) {
      if (life().signal.aborted) return
      doubt(error)
      // Out of reach is seen by other ways; it is asked for again with the next news, unless nobody may tell us.
      const isForbidden = isFault(error) && error.reason === 'engine_forbidden'
      const before = this.#answers.get(key)
      if (before && !isForbidden) this.#answers.set(key, { ...before, version: '' })
    }
  }

  #forget(written: WrittenAt): void {
    if (this.#byPlace.get(keyOf(written)) !== written.one) return
    this.#byPlace.delete(keyOf(written))
    this.#answers.delete(keyOf(written))
  }

  #hashOf(one: SetObject): string {
    const known = this.#hashes.get(one)
    if (known !== undefined) return known
    const hash = shortHash(one.object)
    this.#hashes.set(one, hash)
    return hash
  }
}

const keyOf = ({ kind, namespace, one }: WrittenAt): string => `${kind} ${placeKey(namespace, one.name)}`
