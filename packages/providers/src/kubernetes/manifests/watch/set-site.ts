/** All sets of this installation on one cluster, as they were last heard of: records, their objects, and pods beside them. */
import { type Call, deferred, Fault, orAbort } from '@gantry/core'
import { label, refFromLabels } from '../../../labels.ts'
import type { Observed } from '../../../observed.ts'
import { type Ref, refKey } from '../../../ref.ts'
import { keepFollowing } from '../../../tended/following.ts'
import { heartbeat } from '../../../tended/heartbeat.ts'
import { Telling } from '../../../tended/telling.ts'
import type { SiteEvent, TendedSite } from '../../../tended/tended-site.ts'
import { Troubles } from '../../../tended/troubles.ts'
import { resources } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { WatchedKind } from '../../cluster/watched-kind.ts'
import type { SetOptions } from '../manifests.ts'
import type { SetParts } from '../parts.ts'
import type { RecordObject } from '../record/content.ts'
import { setKind, setLabel } from '../record/record.ts'
import { refusalIn } from '../refusal.ts'
import { observedOf } from '../view/observed-of.ts'
import { FollowedKinds } from './followed-kinds.ts'
import { followsOf, kindFollowKey, podsFollowKey, refusalsFollowKey } from './follows.ts'
import { type SeenRecord, seenRecord } from './seen-record.ts'

/** A pod without a node is looked at again after this time: then it is a stall. */
const lookAgainMs = 4100

type Known = { observed: Observed | undefined; cancel: () => void }

export class SetSite implements TendedSite {
  readonly troubles: Troubles
  readonly #parts: SetParts
  readonly #options: SetOptions
  readonly #telling: Telling
  readonly #records: WatchedKind<RecordObject, SeenRecord>
  readonly #kinds: FollowedKinds
  readonly #known = new Map<string, Known>()
  readonly #over = new AbortController()
  #lost: Fault | undefined = new Fault('engine_unreachable', 'Kubernetes was not reached yet')
  #tried = deferred<void>()
  #following: Promise<void> | undefined

  constructor(parts: SetParts) {
    this.#parts = parts
    const { options } = parts
    const { api, clock, installation, onlyNamespace } = options
    this.#options = options
    this.#telling = new Telling(clock)
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
    return this.#lost
  }

  listen(listener: (event: SiteEvent) => void): () => void {
    return this.#telling.listen(listener)
  }

  /** Begins to hear, and waits for the first word. */
  async refresh(call: Call): Promise<void> {
    call.signal.throwIfAborted()
    this.#following ??= keepFollowing({
      clock: this.clock,
      life: this.#over,
      follow: (heard) => this.#follow(heard),
      lost: (fault) => this.#lose(fault),
    })
    await orAbort(this.#tried.promise, call)
    if (this.#lost) throw this.#lost
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
    this.#over.abort(new Error('the sets are not looked after any more'))
    this.#telling.close()
    for (const { cancel } of this.#known.values()) cancel()
    await this.#following
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
    this.#telling.changed(ref)
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
      this.#telling.gone(ref)
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

  async #follow(heard: () => void): Promise<void> {
    const { clock, api } = this.#options
    const beat = heartbeat({ name: 'Kubernetes', ask: (call) => api.discovery.version(call), clock }, this.#over)
    let listed = false
    const found = (): void => {
      if (!listed || !this.#kinds.isHeard) return
      heard()
      this.#found()
    }
    const following = [
      this.#records.follow(() => {
        listed = true
        found()
      }, beat),
      this.#kinds.run(found, beat),
    ]
    try {
      await Promise.all(following)
    } finally {
      beat.clear()
      await Promise.allSettled(following)
    }
  }

  #found(): void {
    const was = this.#lost
    this.#lost = undefined
    this.#tried.resolve()
    for (const known of this.#known.values()) known.observed = undefined
    if (was) this.#telling.tell({ type: 'found' })
    // Another kind was listed: what could not be told of some sets can be told now.
    else for (const { record } of this.#records.items.values()) this.#telling.changed(record.ref)
  }

  #lose(fault: Fault): void {
    const was = this.#lost
    this.#lost = fault
    this.#tried.resolve()
    if (!was) this.#telling.tell({ type: 'lost', fault })
  }
}
