/**
 * All that is ours on one cluster, shared by all instances: what is listed and watched, what belongs to which instance, and
 * who wants to know. A piece of news costs what its own instance has, however many others there are.
 */
import { type Call, type Clock, deferred, Fault, isFault, orAbort, withDeadline } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { label } from '../../labels.ts'
import type { Observed, Stall } from '../../observed.ts'
import { type Ref, refKey } from '../../ref.ts'
import { keepFollowing } from '../../tended/following.ts'
import { Heard } from '../../tended/heard.ts'
import type { Heartbeat } from '../../tended/heartbeat.ts'
import { Telling } from '../../tended/telling.ts'
import type { SiteEvent, TendedSite } from '../../tended/tended-site.ts'
import { Troubles } from '../../tended/troubles.ts'
import type { KubernetesApi, Resource } from '../api/api.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { setLabel } from '../manifests/record/record.ts'
import type { WorkloadObject } from '../observe/objects.ts'
import { Records } from '../observe/record.ts'
import type { ClaimSeen, NodeSeen, PodSeen, ServiceSeen, WorkloadSeen } from '../observe/seen.ts'
import { Rooms } from '../room/rooms.ts'
import type { RoomHeard } from '../room/verdict.ts'
import { followTogether } from './follow-together.ts'
import { Inquiries } from './inquiries.ts'
import { InstanceView } from './instance-view.ts'
import { type AnySeen, type Kinds, watchedKinds } from './kinds.ts'
import { refused } from './refused.ts'

/** How long a server that answers may take until all of ours is known again. */
const backMs = 10_000

/** Who works on many at once does not ask for each of them whether the server is there. */
const recentMs = 250

export type CacheParts = {
  readonly api: KubernetesApi
  readonly installation: string
  readonly clock: Clock
  readonly life: Call
  /** The only namespace that may be looked into; left out: all of the cluster. */
  readonly namespace?: string
  /** How old a connection to a Service may be that something new is sent over; `undefined`: as old as it gets. */
  readonly connectionAgeMs: number | undefined
}

/** `observed`: as it was last put together; `undefined`: something has changed since. */
type Known = { readonly view: InstanceView; observed: Observed | undefined; cancel: () => void }

export class ClusterCache implements TendedSite {
  readonly kinds: Kinds
  readonly troubles: Troubles
  readonly telling: Telling
  readonly inquiries: Inquiries
  readonly rooms: Rooms
  via: 'direct' | 'tunnel' = 'direct'
  /** Paths of what is desired that somebody else has changed of its Deployment or StatefulSet. */
  drifts: (desired: Desired, live: WorkloadObject) => readonly string[] = () => []
  readonly #parts: CacheParts
  readonly #known = new Map<string, Known>()
  /** By tenant, workload and slot: those of one name, whatever their uid. */
  readonly #named = new Map<string, Set<Ref>>()
  /** Told to be there: of others nobody is told that they are gone. */
  readonly #there = new Set<string>()
  readonly #heard: Heard
  #following: Promise<void> = Promise.resolve()
  readonly #opened = deferred<void>()
  #beat: Heartbeat | undefined
  #asking: Promise<unknown> | undefined
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(parts: CacheParts) {
    this.#parts = parts
    const { api, clock, life, installation, namespace } = parts
    this.telling = new Telling(clock)
    this.#heard = new Heard('Kubernetes', this.telling)
    const changed = (ref: Ref): void => this.changed(ref)
    this.troubles = new Troubles({ clock, changed, refusal: refused, tryAgainMs: 2000 })
    this.inquiries = new Inquiries({ api, clock, life, changed, doubt: (error) => this.doubt(error) })
    this.rooms = new Rooms({ api, clock, life, doubt: (error) => this.doubt(error) })
    this.kinds = watchedKinds({
      api: api.objects,
      clock,
      // What comes from another source is seen by who applies it.
      selector: `${label.installation}=${installation},!${setLabel}`,
      trimming: { installation, records: new Records(), same: (ref) => this.#view(ref).view.ref },
      ...(namespace === undefined ? {} : { namespace }),
      changed,
      rewritten: (ref, live) => this.#rewritten(ref, live),
      forget: (uid) => this.inquiries.forget(uid),
      nodeChanged: (node) => this.#nodeChanged(node),
    })
  }

  get clock(): Clock {
    return this.#parts.clock
  }

  get lost(): Fault | undefined {
    return this.#heard.lost
  }

  /** Lists all that is ours, and from then on hears of every change. Throws where that cannot be done. */
  async open(call: Call): Promise<void> {
    const { clock, life } = this.#parts
    this.#following = keepFollowing({
      clock,
      life,
      follow: (heard) => this.#follow(heard),
      lost: (fault) => {
        this.#heard.lose(fault)
        this.#opened.reject(fault)
      },
    })
    await orAbort(this.#opened.promise, call)
  }

  async close(): Promise<void> {
    this.telling.close()
    for (const { cancel } of this.#known.values()) cancel()
    await this.#following
  }

  listen(listener: (event: SiteEvent) => void): () => void {
    return this.telling.listen(listener)
  }

  /** Somebody asks for it: what it may not be quoted with is known from now on. */
  note(desired: Desired): void {
    this.#view(desired.ref).view.desired = desired
  }

  /** Addresses of the cluster are reached in another way than it was thought. */
  reached(via: 'direct' | 'tunnel'): void {
    this.via = via
    for (const ref of this.refs()) this.changed(ref)
  }

  #rewritten(ref: Ref, live: WorkloadObject): void {
    const { view } = this.#view(ref)
    view.drift = view.desired ? this.drifts(view.desired, live) : []
  }

  pods = (ref: Ref): PodSeen[] => this.kinds.pods.items.of(refKey(ref))
  claims = (ref: Ref): ClaimSeen[] => this.kinds.claims.items.of(refKey(ref))
  services = (ref: Ref): ServiceSeen[] => this.kinds.services.items.of(refKey(ref))
  nodes = (): NodeSeen[] => [...this.kinds.nodes.items.values()]

  watches({ plural }: Resource): boolean {
    const kind = this.kinds.byPlural[plural]
    return kind !== undefined && !kind.forbidden
  }

  /** `undefined`: it is not there, or nobody watches such objects. */
  seen({ plural }: Resource, uid: string): AnySeen | undefined {
    return this.kinds.byPlural[plural]?.items.get(uid)
  }

  /** An answer to what we have written: who writes reads it. */
  fold({ plural }: Resource, object: KubeObject): void {
    this.kinds.byPlural[plural]?.fold(object)
  }

  /** We know that it is gone. */
  drop({ plural }: Resource, uid: string): void {
    this.kinds.byPlural[plural]?.drop(uid)
  }

  /** Two only while one takes the place of the other. */
  workloads = (ref: Ref): WorkloadSeen[] => [
    ...this.kinds.deployments.items.of(refKey(ref)),
    ...this.kinds.statefulSets.items.of(refKey(ref)),
  ]

  /** Instances of which there is more than claims. */
  refs(): Ref[] {
    const refs = new Map<string, Ref>()
    const { pods, deployments, statefulSets } = this.kinds
    for (const { items } of [deployments, statefulSets, pods]) {
      for (const { ref } of items.values()) refs.set(refKey(ref), ref)
    }
    return [...refs.values()]
  }

  /** Another of the same name that is still here; `undefined`: none. */
  predecessor(ref: Ref): Ref | undefined {
    return [...(this.#named.get(nameOf(ref)) ?? [])].find((each) => each.uid !== ref.uid && this.isHere(each))
  }

  isHere(ref: Ref): boolean {
    return this.workloads(ref).length > 0 || this.pods(ref).length > 0
  }

  async look(ref: Ref, call: Call): Promise<Observed | undefined> {
    await this.refresh(call)
    const observed = this.observed(ref)
    return observed && { ...observed, at: new Date(this.clock.now()) }
  }

  /** What is heard of comes by itself; that the server is there to be heard of is asked. */
  async refresh(call: Call): Promise<void> {
    call.signal.throwIfAborted()
    await orAbort(this.#ask(), call)
    if (!this.lost) return
    // The server is back, and what is ours is being listed again.
    const back = withDeadline(this.clock, backMs, 'Listing what is on the cluster', call)
    try {
      await orAbort(this.#whenFound(), back)
    } catch (error) {
      throw back.passed() ? (this.lost ?? error) : error
    } finally {
      back.clear()
    }
  }

  /** The same for who is told soon enough otherwise: that it was there a moment ago will do. */
  async reachable(call: Call): Promise<void> {
    const isRecent = !this.lost && this.clock.monotonic() - this.#answeredAt < recentMs
    if (isRecent) call.signal.throwIfAborted()
    else await this.refresh(call)
  }

  #whenFound(): Promise<void> {
    return new Promise((resolve) => {
      const leave = this.telling.listen(({ type }) => {
        if (type !== 'found') return
        leave()
        resolve()
      })
    })
  }

  observed(ref: Ref): Observed | undefined {
    const key = refKey(ref)
    const trouble = this.troubles.of(ref)
    if (!this.isHere(ref) && !trouble) return undefined
    const known = this.#view(ref)
    known.observed ??= this.#look(known, trouble)
    this.#there.add(key)
    return known.observed
  }

  all(): Observed[] {
    return this.refs().flatMap((ref) => this.observed(ref) ?? [])
  }

  changed(ref: Ref): void {
    const key = refKey(ref)
    const known = this.#known.get(key)
    if (known) known.observed = undefined
    if (this.isHere(ref) || this.troubles.of(ref)) this.telling.changed(ref)
    else this.#over(ref)
  }

  /** What we do not understand is as good as out of reach, until everything was listed again. */
  doubt(error: unknown): void {
    if (isFault(error) || this.#parts.life.signal.aborted) return
    this.#beat?.end(new Fault('bad_answer', `Kubernetes' answer was not understood: ${error}`, { cause: error }))
  }

  #over(ref: Ref): void {
    const key = refKey(ref)
    this.#unknow(ref)
    if (this.#there.delete(key)) this.telling.gone(ref)
  }

  #view(ref: Ref): Known {
    const key = refKey(ref)
    const known = this.#known.get(key)
    if (known) return known
    const fresh: Known = { view: new InstanceView(ref), observed: undefined, cancel: () => undefined }
    this.#known.set(key, fresh)
    const name = nameOf(ref)
    const same = this.#named.get(name)
    if (same) same.add(ref)
    else this.#named.set(name, new Set([ref]))
    return fresh
  }

  #unknow(ref: Ref): void {
    const key = refKey(ref)
    const known = this.#known.get(key)
    if (!known) return
    known.cancel()
    this.#known.delete(key)
    const same = this.#named.get(nameOf(ref))
    same?.delete(known.view.ref)
    if (same?.size === 0) this.#named.delete(nameOf(ref))
  }

  #look(known: Known, trouble: Stall | undefined): Observed {
    const { ref } = known.view
    const { clock } = this.#parts
    const [workload, other] = this.workloads(ref)
    const objects = {
      workload: workload?.deleting && other ? other : workload,
      pods: this.pods(ref),
      services: [...this.services(ref), ...this.kinds.services.items.of(ref.uid)],
      claims: this.claims(ref),
    }
    const { observed, again } = known.view.observe(objects, trouble, {
      inquiries: this.inquiries,
      room: (pod) => this.room(pod),
      isNodeLost: (node) => this.isNodeLost(node),
      nodeAddress: () => this.nodes().find(({ ready }) => ready)?.address,
      via: this.via,
      connectionAgeMs: this.#parts.connectionAgeMs,
      now: () => clock.now(),
    })
    known.cancel()
    known.cancel = again === undefined ? () => undefined : clock.after(again, () => this.changed(ref))
    return observed
  }

  /** Whether somebody makes room for one that no node takes. */
  room({ namespace, uid }: PodSeen): RoomHeard {
    return this.rooms.heard(namespace, uid)
  }

  /** Where nodes may not be seen, what their pods say is believed. */
  isNodeLost(name: string): boolean {
    const { nodes } = this.kinds
    if (nodes.forbidden) return false
    const [node] = nodes.items.of(name)
    return node === undefined || !node.ready
  }

  #nodeChanged(node: string): void {
    const refs = new Map<string, Ref>()
    for (const pod of this.kinds.pods.items.values()) if (pod.node === node) refs.set(refKey(pod.ref), pod.ref)
    for (const ref of refs.values()) this.changed(ref)
  }

  /** One question for all who ask at the same time. */
  async #ask(): Promise<void> {
    const { api, clock, life } = this.#parts
    const askedAt = clock.monotonic()
    this.#asking ??= api.discovery
      .version(life)
      .then(() => {
        this.#answeredAt = askedAt
      })
      .finally(() => {
        this.#asking = undefined
      })
    try {
      await this.#asking
    } catch (error) {
      if (isFault(error, 'unavailable') || isFault(error, 'deadline')) this.#beat?.end(error)
      throw error
    }
  }

  #follow(heard: () => void): Promise<void> {
    const unheard = new Set<object>(this.kinds.all)
    const begin = (beat: Heartbeat): readonly Promise<void>[] => {
      this.#beat = beat
      return this.kinds.all.map((kind) =>
        kind.follow(() => {
          if (!unheard.delete(kind) || unheard.size > 0) return
          this.#opened.resolve()
          this.#heard.found()
          heard()
        }, beat),
      )
    }
    return followTogether(this.#parts, begin, this.#parts.life)
  }
}

const nameOf = ({ tenant, workload, slot }: Ref): string => `${tenant}/${workload}/${slot}`
