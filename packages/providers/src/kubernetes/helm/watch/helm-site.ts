/** All releases of this installation on one cluster, as they were last heard of: records, revisions, objects and pods. */
import { type Call, type Clock, type Fault, isFault } from '@gantry/core'
import { label } from '../../../labels.ts'
import type { Observed } from '../../../observed.ts'
import { type Ref, refKey } from '../../../ref.ts'
import type { SiteEvent, TendedSite } from '../../../tended/tended-site.ts'
import type { Resource } from '../../api/api.ts'
import { resources } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { WatchedKind } from '../../cluster/watched-kind.ts'
import { shownName } from '../../manifests/record/record.ts'
import { FollowedKinds } from '../../manifests/watch/followed-kinds.ts'
import type { Rooms } from '../../room/rooms.ts'
import { SourceHearing } from '../../sources/source-hearing.ts'
import type { HelmOptions } from '../helm.ts'
import { type RecordSecret, recordSelector } from '../record.ts'
import type { HelmSecret } from '../release/stored.ts'
import type { Live, LiveObject } from '../view/live.ts'
import { observedOf } from '../view/observed.ts'
import { servicesOf } from '../view/services.ts'
import type { StallMemory } from '../view/stall-memory.ts'
import { Changes, type WrittenAt } from './changes.ts'
import { classesKey, followsOf, hooksKey, kindKeyOf, objectsKey, podsKey, type Written } from './follows.ts'
import { Interests } from './interests.ts'
import { releaseKey, type SeenRecord, type SeenRevision, seenRecord, seenRevision } from './seen.ts'

/** What is not ready is looked at again after this time: a pod without a node is a stall after a while. */
const lookAgainMs = 4100

export class HelmSite implements TendedSite {
  readonly #options: HelmOptions
  readonly #stalls: StallMemory
  readonly #rooms: Rooms
  readonly #hearing: SourceHearing
  readonly #records: WatchedKind<RecordSecret, SeenRecord>
  readonly #revisions: WatchedKind<HelmSecret, SeenRevision>
  readonly #kinds: FollowedKinds
  readonly #changes: Changes
  /** By kind: what the cluster calls it. */
  readonly #resources = new Map<string, Resource>()
  /** Kinds that it is being asked for. */
  readonly #asked = new Set<string>()
  readonly #interests = new Interests()
  readonly #again = new Map<string, () => void>()

  constructor(options: HelmOptions, stalls: StallMemory, rooms: Rooms) {
    const { api, clock, installation, onlyNamespace } = options
    this.#options = options
    this.#stalls = stalls
    this.#rooms = rooms
    this.#hearing = new SourceHearing({ api, clock, watch: (found, beat) => this.#watch(found, beat) })
    const of = { resource: resources.secret, ...(onlyNamespace !== undefined && { namespace: onlyNamespace }) }
    this.#records = new WatchedKind({
      api: api.objects,
      clock,
      of,
      which: { labelSelector: recordSelector(installation) },
      trim: (secret) => seenRecord(secret, installation),
      groupOf: ({ stored }) => refKey(stored.ref),
      changed: (now, before) => this.#recordChanged(now, before),
    })
    this.#revisions = new WatchedKind({
      api: api.objects,
      clock,
      of,
      which: { labelSelector: `owner=helm,${label.installation}=${installation}` },
      trim: (secret) => seenRevision(secret, installation),
      groupOf: ({ release }) => release,
      changed: (now, before) => this.#revisionChanged((now ?? before)?.ref),
    })
    this.#changes = new Changes({
      objects: api.objects,
      life: () => this.#hearing.life,
      told: (ref) => this.#hearing.telling.changed(ref),
      doubt: (error) => this.#hearing.doubt(error),
    })
    this.#kinds = new FollowedKinds({
      api: api.objects,
      clock,
      changed: (_key, now, before) => this.#objectChanged((now ?? before)?.metadata.namespace),
    })
  }

  get clock(): Clock {
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
    const seen = this.#seen(ref)
    if (!seen) return undefined
    const { stored } = seen
    const all = this.#revisionsOf(stored)
    const now = new Date(this.clock.now())
    const services = servicesOf(this.#live(stored.ref, all.at(-1)), {
      via: this.#options.via ?? 'direct',
      now,
      roomOf: ({ metadata: { namespace = '', uid = '' } }) => this.#rooms.heard(namespace, uid),
    })
    const stallAt = (message: string): Date => this.#stalls.at(refKey(ref), message)
    const observed = observedOf(
      stored,
      all.map(({ revision }) => revision),
      services,
      stallAt,
      now,
    )
    this.#lookAgain(ref, observed)
    return observed
  }

  all(): Observed[] {
    return [...this.#records.items.values()].flatMap(({ stored }) => this.observed(stored.ref) ?? [])
  }

  /** Something of it has changed that no watch tells. */
  ring(ref: Ref): void {
    if (this.#seen(ref)) this.#hearing.telling.changed(ref)
  }

  async close(): Promise<void> {
    for (const cancel of this.#again.values()) cancel()
    await this.#hearing.close(new Error('the releases are not looked after any more'))
  }

  #live(ref: Ref, top: SeenRevision | undefined): Live {
    const namespace = this.#namespaceOf(ref)
    const places = new Set<string>()
    const objects = (top?.written ?? []).flatMap(({ one, isHook }): readonly LiveObject[] => {
      const resource = this.#resources.get(kindKeyOf(one))
      if (!resource) return []
      const at = { resource, name: one.name, ...(resource.namespaced && { namespace: one.namespace ?? namespace }) }
      const place = at.namespace ?? namespace
      places.add(place)
      const found = this.#kinds.find(isHook ? hooksKey(one, place) : objectsKey(one), at.namespace, one.name)
      if (isHook && typeof found !== 'object') return []
      const object = typeof found === 'object' ? found.object : found
      const written = { kind: kindKeyOf(one), namespace: at.namespace, one }
      const changed = typeof found === 'object' && !isHook ? this.#changes.of(ref, at, written, found) : []
      return [{ name: shownName(at, namespace), at, written: one, isHook, object, changed }]
    })
    const pods = [...places].flatMap((place) => [...this.#kinds.objects(podsKey(place))])
    const classes = [...this.#kinds.objects(classesKey)]
    return { objects, pods, classes, isDeployed: top?.revision.status === 'deployed' }
  }

  #lookAgain(ref: Ref, { replicas }: Observed): void {
    const key = refKey(ref)
    this.#again.get(key)?.()
    this.#again.delete(key)
    if (replicas.some(({ ready }) => !ready)) {
      this.#again.set(
        key,
        this.clock.after(lookAgainMs, () => this.ring(ref)),
      )
    }
  }

  #seen(ref: Ref): SeenRecord | undefined {
    return this.#records.items.of(refKey(ref)).at(-1)
  }

  #namespaceOf(ref: Ref): string {
    return this.#options.namespaceOf(ref.tenant)
  }

  #revisionsOf({ ref, record }: SeenRecord['stored']): readonly SeenRevision[] {
    const all = this.#revisions.items.of(releaseKey(this.#namespaceOf(ref), record.releaseName))
    return all.sort((left, right) => left.revision.revision - right.revision.revision)
  }

  #recordChanged(now: SeenRecord | undefined, before: SeenRecord | undefined): void {
    const ref = (now ?? before)?.stored.ref
    if (!ref) return
    if (now || this.#seen(ref)) {
      this.#want(ref)
      this.#hearing.telling.changed(ref)
      return
    }
    this.#changes.delete(ref)
    if (this.#interests.delete(ref)) this.#kinds.want(this.#interests.follows())
    this.#again.get(refKey(ref))?.()
    this.#again.delete(refKey(ref))
    this.#hearing.telling.gone(ref)
  }

  #revisionChanged(ref: Ref | undefined): void {
    if (!ref || !this.#seen(ref)) return
    this.#want(ref)
    this.#hearing.telling.changed(ref)
  }

  /** Of pods it is not known whose they are; so all that are in that place are told. */
  #objectChanged(namespace: string | undefined): void {
    const told = namespace === undefined ? this.#interests.all() : this.#interests.in(namespace)
    for (const ref of told) this.#hearing.telling.nearer(ref)
  }

  /** Follows the kinds that it has now; those that are new to us are asked for first. */
  #want(ref: Ref, mayAsk = true): void {
    const seen = this.#seen(ref)
    if (!seen) return
    const home = this.#namespaceOf(ref)
    const written = (this.#revisionsOf(seen.stored).at(-1)?.written ?? []).map(
      (each): Written => ({ ...each, namespace: each.one.namespace ?? home }),
    )
    const known = (of: Parameters<typeof kindKeyOf>[0]): Resource | undefined => this.#resources.get(kindKeyOf(of))
    this.#changes.set(ref, whereOf(written, known))
    const passing = (kind: string, raw: KubeObject) => this.#changes.passing(kind, raw)
    const follows = followsOf(written, known, this.#options.onlyNamespace, passing)
    const places = new Set([home, ...written.map(({ namespace }) => namespace)])
    if (this.#interests.set(ref, follows, places)) this.#kinds.want(this.#interests.follows())
    const unknown = written.filter(
      ({ one }) => !this.#resources.has(kindKeyOf(one)) && !this.#asked.has(kindKeyOf(one)),
    )
    if (mayAsk && unknown.length > 0) void this.#ask(unknown)
  }

  async #ask(unknown: readonly Written[]): Promise<void> {
    const { discovery } = this.#options.api
    for (const { one } of unknown) this.#asked.add(kindKeyOf(one))
    try {
      for (const { one } of unknown) {
        const resource = await discovery.resource(one.apiVersion, one.kind, this.#hearing.life)
        // What the cluster does not have yet is asked for again with the next news.
        if (resource) this.#resources.set(kindKeyOf(one), resource)
      }
    } catch (error) {
      // Then the watches are lost as well, and all of this is done again.
      if (!isFault(error) && !this.#hearing.life.signal.aborted) throw error
      return
    } finally {
      for (const { one } of unknown) this.#asked.delete(kindKeyOf(one))
    }
    // Others may have waited for the same; new kinds are rare.
    for (const { stored } of this.#records.items.values()) {
      this.#want(stored.ref, false)
      this.#hearing.telling.changed(stored.ref)
    }
  }

  #watch(found: () => boolean, beat: Call): readonly Promise<void>[] {
    const listed = { records: false, revisions: false }
    const hear = (): void => {
      if (listed.records && listed.revisions && this.#kinds.isHeard) found()
    }
    const list = (what: 'records' | 'revisions') => (): void => {
      listed[what] = true
      for (const { stored } of this.#records.items.values()) this.#want(stored.ref)
      hear()
    }
    return [
      this.#records.follow(list('records'), beat),
      this.#revisions.follow(list('revisions'), beat),
      this.#kinds.run(hear, beat),
    ]
  }
}

/** Those of kinds that are known: where they are depends on it. */
const whereOf = (
  written: readonly Written[],
  known: (of: Written['one']) => Resource | undefined,
): readonly WrittenAt[] =>
  written.flatMap(({ one, isHook, namespace }) => {
    const resource = known(one)
    if (isHook || !resource) return []
    return [{ kind: kindKeyOf(one), namespace: resource.namespaced ? namespace : undefined, one }]
  })
