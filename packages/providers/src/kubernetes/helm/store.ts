/** Releases as they are on the cluster: our record of each, and the revisions that Helm keeps of it. */
import { type Call, type Clock, Fault } from '@gantry/core'
import { label } from '../../labels.ts'
import { type Ref, refName } from '../../ref.ts'
import type { ObjectAt, ObjectsApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { interruptedWords } from './outcome.ts'
import { type HelmRecord, type RecordSecret, recordIn, recordNameOf, refOfRecord, secretOf } from './record.ts'
import { type KnownRevision, knownRevision } from './release/revisions.ts'
import { type HelmSecret, markedFailed, secretNameOf, selectorOf } from './release/stored.ts'

export const fieldManager = 'gantry'

/** A record as it was read or written. */
export type Stored = {
  readonly ref: Ref
  readonly namespace: string
  readonly record: HelmRecord
  readonly version: string
  readonly uid: string
}

export type RecordPlace = { readonly namespace: string; readonly name: string; readonly uid: string }

export type StoreOptions = {
  readonly objects: ObjectsApi
  readonly clock: Clock
  readonly installation: string
  readonly namespaceOf: (tenant: string) => string
}

/** Revisions that were read once, by uid: a revision changes only when its status does. */
const mostKept = 500

export class HelmStore {
  readonly #options: StoreOptions
  readonly #read = new Map<string, { readonly version: string; readonly known: KnownRevision }>()

  constructor(options: StoreOptions) {
    this.#options = options
  }

  /** Whoever's uid it carries. Throws `foreign_object` where something else has its name. */
  async record(ref: Ref, call: Call): Promise<Stored | undefined> {
    const { objects, installation } = this.#options
    const at = this.#recordAt(ref)
    const secret = await objects.get<RecordSecret>(at, call)
    if (!secret) return undefined
    const stored = storedIn(installation, secret)
    if (stored) return stored
    const whose = secret.metadata.labels?.[label.installation]
    const what = whose !== undefined && whose !== installation ? `of the installation ${whose}` : 'not a record of ours'
    throw new Fault(
      'foreign_object',
      `The Secret ${at.namespace}/${at.name} stands where the record of ${refName(ref)} belongs, and is ${what}; remove or rename it`,
    )
  }

  /** The very one, and no other that has its name by now. */
  async recordAt(place: RecordPlace, call: Call): Promise<Stored | undefined> {
    const { namespace, name, uid } = place
    const secret = await this.#options.objects.get<RecordSecret>({ resource: resources.secret, namespace, name }, call)
    return secret?.metadata.uid === uid ? storedIn(this.#options.installation, secret) : undefined
  }

  /** Over exactly what was read: throws `version_conflict` or `engine_object_exists` where somebody was faster. */
  async write(ref: Ref, record: HelmRecord, before: Stored | undefined, call: Call): Promise<Stored> {
    const { objects, installation } = this.#options
    const at = this.#recordAt(ref)
    const of = { installation, ref, namespace: at.namespace }
    const written = before
      ? await objects.replace<KubeObject>(at, secretOf(record, of, before.version), { fieldManager }, call)
      : await objects.create<KubeObject>(
          { resource: resources.secret, namespace: at.namespace },
          secretOf(record, of),
          { fieldManager },
          call,
        )
    const { resourceVersion = '', uid = '' } = written.metadata
    return { ref, namespace: at.namespace, record, version: resourceVersion, uid }
  }

  async forget({ ref, uid }: Stored, call: Call): Promise<void> {
    await this.#options.objects.delete(this.#recordAt(ref), { uid }, call)
  }

  /** Oldest first. Only what is new or has changed is read whole. */
  async history(namespace: string, release: string, call: Call): Promise<readonly KnownRevision[]> {
    const of = { resource: resources.secret, namespace }
    const { items } = await this.#options.objects.list<KubeObject>(
      of,
      { labelSelector: selectorOf(release), metadataOnly: true },
      call,
    )
    const found: KnownRevision[] = []
    for (const { metadata } of items) {
      const known = await this.#revision(namespace, metadata, call)
      if (known) found.push(known)
    }
    return found.sort((left, right) => left.revision - right.revision)
  }

  /** Says of a revision that is still pending that it has failed, as its helm would have, had it lived. */
  async unlock(namespace: string, release: string, revision: number, call: Call): Promise<void> {
    const { objects, clock } = this.#options
    const at = { resource: resources.secret, namespace, name: secretNameOf(release, revision) }
    const secret = await objects.get<HelmSecret>(at, call)
    if (secret && knownRevision(secret).status.startsWith('pending-'))
      await objects.replace(at, markedFailed(secret, interruptedWords, new Date(clock.now())), { fieldManager }, call)
  }

  async #revision(
    namespace: string,
    { name, uid = '', resourceVersion = '' }: KubeObject['metadata'],
    call: Call,
  ): Promise<KnownRevision | undefined> {
    const kept = this.#read.get(uid)
    if (kept?.version === resourceVersion) return kept.known
    const secret = await this.#options.objects.get<HelmSecret>({ resource: resources.secret, namespace, name }, call)
    if (!secret) return undefined
    const known = knownRevision(secret)
    this.#read.delete(uid)
    this.#read.set(uid, { version: secret.metadata.resourceVersion ?? '', known })
    const [oldest] = this.#read.keys()
    if (this.#read.size > mostKept && oldest !== undefined) this.#read.delete(oldest)
    return known
  }

  #recordAt(ref: Ref): ObjectAt & { readonly namespace: string } {
    const namespace = this.#options.namespaceOf(ref.tenant)
    return { resource: resources.secret, namespace, name: recordNameOf(ref) }
  }
}

export function storedIn(installation: string, secret: RecordSecret): Stored | undefined {
  const ref = refOfRecord(installation, secret)
  const record = recordIn(secret)
  const { resourceVersion = '', uid = '', namespace = '' } = secret.metadata
  return ref && record && { ref, namespace, record, version: resourceVersion, uid }
}
