/** All sets of this installation on one cluster, as they were last heard of: records, their objects, and pods beside them. */
import type { Call, Fault } from '@gantry/core'
import { label, refFromLabels } from '../../../labels.ts'
import type { Observed } from '../../../observed.ts'
import { type Ref, refKey } from '../../../ref.ts'
import type { SiteEvent, TendedSite } from '../../../tended/tended-site.ts'
import { Troubles } from '../../../tended/troubles.ts'
import { resources } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { WatchedKind } from '../../cluster/watched-kind.ts'
import { SourceHearing } from '../../sources/source-hearing.ts'
import type { SetOptions } from '../manifests.ts'
import type { SetParts } from '../parts.ts'
import type { RecordObject } from '../record/content.ts'
import { setKind, setLabel } from '../record/record.ts'
import { refusalIn } from '../refusal.ts'
import { observedOf } from '../view/observed-of.ts'
import { FollowedKinds } from './followed-kinds.ts'
import { classesFollowKey, followsOf, kindFollowKey, podsFollowKey, refusalsFollowKey } from './follows.ts'
import { type SeenRecord, seenRecord } from './seen-record.ts'

/** What is not ready is looked at again after this time: a pod without a node is a stall after a while. */
const lookAgainMs = 4100

type Known = { observed: Observed | undefined; cancel: () => void }

export class SetSite implements TendedSite {
  readonly troubles: Troubles
  readonly #parts: SetParts
  readonly #options: SetOptions
  readonly #hearing: SourceHearing
  readonly #records: WatchedKind<RecordObject, SeenRecord>
  readonly #kinds: FollowedKinds
  readonly #known = new Map<string, Known>()

  constructor(parts: SetParts) {
    this.#parts = parts
    const { options } = parts
    const { api, clock, installation, onlyNamespace } = options
    this.#options = options
    this.#hearing = new SourceHearing({ api, clock, watch: (found, beat) => this.#watch(found, beat) })
    const changed = (ref: Ref): void => this.#changed(ref)
    this.troubles = new Troubles({ clock, changed, refusal: refusalIn, tryAgainMs: 2000 })
    this.#records = new WatchedKind({
      api: api.objects,
      clock,
      of: { resource: resources.configMap, ...(onlyNamespace === undefined ? {} : { namespace: onlyNamespace }) },
      which: { labelSelector: `${label.installation}=${installation},${setLabel}=${setKind}` },
      trim: (raw) => seenRecord(raw, installation),
      groupOf: ({ record }) => refKey(record.ref),
      changed: (now, before) => this.#recordChanged(now ?? before),
    })
    this.#kinds = new FollowedKinds({
      api: api.objects,
      clock,
      changed: (key, now, before) => this.#objectChanged(key, now ?? before),
    })
  }

  get clock() {
    return this.#options.clock
  }

  get lost(): Fault | undefined {
    return this.#hearing.lost
  }

  listen(listener: (event: SiteEvent) => void): () => void {
    return this.#hearing.telling.listen(listener)
  }

  refresh(call: Call): Promise<void> {
    return this.#hearing.refresh(call)
  }

  observed(ref: Ref): Observed | undefined {
    const key = refKey(ref)
    const [seen] = this.#records.items.of(key)
    const trouble = this.troubles.of(ref)
    const now = new Date(this.clock.now())
    if (!seen) {
      if (!trouble) return undefined
      return { ref, replicas: [], endpoints: [], stalled: trouble, drift: [], notEnforced: [], at: now }
    }
    const known = this.#knownOf(key)
    known.observed ??= this.#look(seen, known, now)
    return known.observed
  }

  all(): Observed[] {
    return [...this.#records.items.values()].flatMap(({ record }) => this.observed(record.ref) ?? [])
  }

  async close(): Promise<void> {
    for (const { cancel } of this.#known.values()) cancel()
    await this.#hearing.close(new Error('the sets are not looked after any more'))
  }

  #look({ record, engineId }: SeenRecord, known: Known, now: Date): Observed {
    const { via = 'direct' } = this.#options
    const key = refKey(record.ref)
    const view = {
      record,
      engineId,
      find: (entry: SeenRecord['record']['entries'][number]) =>
        this.#kinds.find(kindFollowKey(entry.resource), entry.namespace, entry.name),
      podsIn: (namespace: string) => [
        ...this.#kinds.objects(podsFollowKey(namespace)),
        ...this.#kinds.objects(refusalsFollowKey(namespace)),
      ],
      classes: () => [...this.#kinds.objects(classesFollowKey)],
      roomOf: (pod: KubeObject) => this.#parts.rooms.heard(pod.metadata.namespace ?? '', pod.metadata.uid ?? ''),
      via,
      now,
    }
    const observed = observedOf(view, this.troubles.of(record.ref), this.#parts.times(key, record.specHash, now))
    const isWaiting = observed.replicas.some(({ ready }) => !ready)
    known.cancel()
    known.cancel = isWaiting ? this.clock.after(lookAgainMs, () => this.#changed(record.ref)) : () => undefined
    return observed
  }

  #knownOf(key: string): Known {
    const known = this.#known.get(key) ?? { observed: undefined, cancel: () => undefined }
    this.#known.set(key, known)
    return known
  }

  #changed(ref: Ref): void {
    const known = this.#known.get(refKey(ref))
    if (known) known.observed = undefined
    this.#hearing.telling.changed(ref)
  }

  #recordChanged(seen: SeenRecord | undefined): void {
    if (!seen) return
    this.#kinds.want(
      followsOf(
        [...this.#records.items.values()].map(({ record }) => record),
        this.#options,
      ),
    )
    const { ref } = seen.record
    if (this.#records.items.of(refKey(ref)).length > 0 || this.troubles.of(ref)) this.#changed(ref)
    else {
      this.#known.get(refKey(ref))?.cancel()
      this.#known.delete(refKey(ref))
      this.#hearing.telling.gone(ref)
    }
  }

  #objectChanged(key: string, object: KubeObject | undefined): void {
    if (!object) return
    const { labels = {}, namespace = '' } = object.metadata
    if (key !== podsFollowKey(namespace) && key !== refusalsFollowKey(namespace)) {
      const ref = refFromLabels(this.#options.installation, labels)
      if (ref) this.#changed(ref)
      return
    }
    for (const { record, podNamespaces } of this.#records.items.values()) {
      if (podNamespaces.has(namespace)) this.#changed(record.ref)
    }
  }

  #watch(found: () => boolean, beat: Call): readonly Promise<void>[] {
    let listed = false
    const hear = (): void => {
      if (listed && this.#kinds.isHeard) this.#found(found)
    }
    return [
      this.#records.follow(() => {
        listed = true
        hear()
      }, beat),
      this.#kinds.run(hear, beat),
    ]
  }

  #found(found: () => boolean): void {
    for (const known of this.#known.values()) known.observed = undefined
    if (found()) return
    // Another kind was listed: what could not be told of some sets can be told now.
    for (const { record } of this.#records.items.values()) this.#hearing.telling.changed(record.ref)
  }
}
