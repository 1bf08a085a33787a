/**
 * Makes objects be as planned, by server-side apply, and only where they may be otherwise: what we applied and nobody has
 * touched since is not sent again. Whose an object is, is looked at before it is first touched.
 */
import { type Call, Fault } from '@gantry/core'
import { contentHash } from '../../content-hash.ts'
import { type Ref, refKey } from '../../ref.ts'
import type { KubernetesApi, ObjectAt } from '../api/api.ts'
import type { KubeObject, OwnerReference } from '../api/types/meta.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { markOf } from '../cluster/kinds.ts'
import { annotation } from '../observe/record.ts'
import type { PlannedObject } from '../plan/planned.ts'
import { foreignWords, type Owner, objectName } from './ownership.ts'

export const fieldManager = 'gantry'

export type ApplierParts = {
  readonly api: KubernetesApi
  readonly cache: ClusterCache
  readonly installation: string
}

/** What the server answered when we last applied it: while this is so, nobody has changed it since. */
type Applied = { readonly hash: string; readonly uid: string; readonly mark: string }

/** What keeps an object from being applied, read as "waiting for …". */
export type Held = { readonly waiting: string }
export type Outcome = { readonly uid: string; readonly changed: boolean } | Held

export class Applier {
  readonly #parts: ApplierParts
  /** By instance, then by object. */
  readonly #applied = new Map<string, Map<string, Applied>>()

  constructor(parts: ApplierParts) {
    this.#parts = parts
  }

  /** What it is like on the cluster is not taken for granted any more. */
  forget(ref: Ref): void {
    this.#applied.delete(refKey(ref))
  }

  /** We have removed it: it is made anew when it is needed again. */
  gone(ref: Ref, at: ObjectAt): void {
    this.#applied.get(refKey(ref))?.delete(objectName(at))
  }

  async apply(
    ref: Ref,
    { at, body }: PlannedObject,
    whose: (object: KubeObject) => Owner,
    call: Call,
    owner?: OwnerReference,
  ): Promise<Outcome> {
    const own = this.#of(ref)
    const key = objectName(at)
    const known = own.get(key)
    const whole = dressed(body, owner)
    // Kept in memory alone for what holds secrets.
    const hash = contentHash(whole)
    if (known?.hash === hash && this.#isUntouched(at, known)) return { uid: known.uid, changed: false }
    if (!known || !this.#isThere(at, known.uid)) {
      const held = await this.#admit(ref, at, whose, call)
      if (held) return held
    }
    const marked = at.resource.kind === 'Secret' ? whole : withAnnotation(whole, annotation.applied, hash)
    const { objects } = this.#parts.api
    const answer = await objects.apply<KubeObject>(at, marked, { fieldManager, force: true }, call)
    this.#parts.cache.fold(at.resource, answer)
    const { uid = '' } = answer.metadata
    own.set(key, { hash, uid, mark: markOf(at.resource, answer.metadata) })
    return { uid, changed: true }
  }

  async #admit(ref: Ref, at: ObjectAt, whose: (object: KubeObject) => Owner, call: Call): Promise<Held | undefined> {
    const found = await this.#parts.api.objects.get<KubeObject>(at, call)
    if (!found) return undefined
    const owner = whose(found)
    if (owner === 'foreign') throw new Fault('foreign_object', foreignWords(at, ref))
    if (owner === 'before') return { waiting: `${objectName(at)} of the workload that had this name before to be gone` }
    return found.metadata.deletionTimestamp === undefined ? undefined : { waiting: `${objectName(at)} to be gone` }
  }

  /** Of kinds that may not be watched, deletion by hand goes unseen until something complains of it. */
  #isUntouched(at: ObjectAt, { uid, mark }: Applied): boolean {
    const seen = this.#parts.cache.seen(at.resource, uid)
    if (!this.#parts.cache.watches(at.resource)) return true
    return seen !== undefined && !seen.deleting && markOf(at.resource, seen) === mark
  }

  #isThere(at: ObjectAt, uid: string): boolean {
    return this.#parts.cache.seen(at.resource, uid)?.deleting === false
  }

  #of(ref: Ref): Map<string, Applied> {
    const key = refKey(ref)
    const known = this.#applied.get(key)
    if (known) return known
    const fresh = new Map<string, Applied>()
    this.#applied.set(key, fresh)
    return fresh
  }
}

function dressed(body: KubeObject, owner: OwnerReference | undefined): KubeObject {
  return owner ? { ...body, metadata: { ...body.metadata, ownerReferences: [owner] } } : body
}

const withAnnotation = (body: KubeObject, name: string, value: string): KubeObject => ({
  ...body,
  metadata: { ...body.metadata, annotations: { ...body.metadata.annotations, [name]: value } },
})
