/** All that is ours on one daemon: the containers as they were last seen, what they belong to, and who wants to know. */
import { type Call, type Clock, Fault, isFault } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { engineLabel, label, refFromLabels } from '../../labels.ts'
import type { Observed } from '../../observed.ts'
import { type Ref, refKey } from '../../ref.ts'
import { keepFollowing } from '../../tended/following.ts'
import { Grouped } from '../../tended/grouped.ts'
import { type Heartbeat, heartbeat } from '../../tended/heartbeat.ts'
import { Telling } from '../../tended/telling.ts'
import type { SiteEvent, TendedSite } from '../../tended/tended-site.ts'
import { Troubles } from '../../tended/troubles.ts'
import type { DockerApi } from '../api/api.ts'
import type { ContainerSummary } from '../api/types/containers.ts'
import type { DockerEvent } from '../api/types/events.ts'
import { type ReplicaRecord, recordFrom } from '../plan/record.ts'
import { refused } from '../refused.ts'
import { Inspector } from './inspector.ts'
import { LiveReplica, type ReplicaParts } from './live-replica.ts'
import { Looks } from './looks.ts'
import { observedOf } from './observed-of.ts'
import type { ContainerSeen } from './seen.ts'

export type SiteParts = {
  readonly api: DockerApi
  readonly installation: string
  readonly clock: Clock
  readonly life: Call
  readonly replica: Omit<ReplicaParts, 'changed' | 'nearer' | 'inspect' | 'connection' | 'doubt'>
  /** Takes away what is left of replicas that are not here, some of it later. */
  readonly sweep: () => void
}

/** What was asked for, while we know: an instance without replicas is one, too. */
type Known = { readonly ref: Ref; readonly stopGraceSeconds: number; readonly notEnforced: readonly string[] }

/** After these it is another. What is asked of it (`kill`, `stop`, `exec_create` …) is no change yet. */
const changes: ReadonlySet<string> = new Set([
  'create',
  'start',
  'die',
  'pause',
  'unpause',
  'rename',
  'update',
  'destroy',
])

export class Site implements TendedSite {
  readonly parts: SiteParts
  /** By engine id; those of an instance are a group. */
  readonly replicas = new Grouped<LiveReplica>()
  readonly troubles: Troubles
  readonly telling: Telling
  readonly #inspector: Inspector
  readonly #looks: Looks
  /** By container: the replica it belongs to, and how it was seen last. Those of a replica are a group. */
  readonly #seen = new Grouped<{ readonly engineId: string; readonly container: ContainerSeen }>()
  /** Ids are never used again: a late word about what is removed is not believed. */
  readonly #removed = new Set<string>()
  readonly #known = new Map<string, Known>()
  #lost: Fault | undefined = new Fault('engine_unreachable', 'Docker was not reached yet')
  #following: Promise<void> = Promise.resolve()
  #beat: Heartbeat | undefined
  #connections = 0

  constructor(parts: SiteParts) {
    this.parts = parts
    this.telling = new Telling(parts.clock)
    this.troubles = new Troubles({
      clock: parts.clock,
      changed: (ref) => this.telling.changed(ref),
      refusal: refused,
      tryAgainMs: 1000,
    })
    this.#looks = new Looks({
      one: (ref, call) => this.#list({ [label.uid]: ref.uid, [label.slot]: ref.slot }, [ref], call),
      many: (refs, call) => this.#list({}, refs, call),
      size: () => this.#seen.size,
      life: parts.life,
    })
    this.#inspector = new Inspector(parts.api.containers, (id, container) => this.#take(id, container))
  }

  get clock(): Clock {
    return this.parts.clock
  }

  get lost(): Fault | undefined {
    return this.#lost
  }

  /** Another number whenever the daemon was out of reach; `undefined` while it is. */
  get connection(): number | undefined {
    return this.#lost ? undefined : this.#connections
  }

  /** Looks once, and from then on hears of every change. */
  async open(call: Call): Promise<void> {
    await this.refresh(call)
    const { clock, life } = this.parts
    this.#following = keepFollowing({
      clock,
      life,
      follow: (heard) => this.#follow(heard),
      lost: (fault) => this.#lose(fault),
    })
  }

  listen(listener: (event: SiteEvent) => void): () => void {
    return this.telling.listen(listener)
  }

  async close(): Promise<void> {
    this.telling.close()
    for (const replica of this.replicas.values()) replica.close()
    await this.#following
  }

  note(desired: Desired, notEnforced: readonly string[]): void {
    const { ref, stopGraceSeconds } = desired
    const before = this.#known.get(refKey(ref))
    const known = { ref, stopGraceSeconds, notEnforced }
    this.#known.set(refKey(ref), known)
    if (JSON.stringify(before) !== JSON.stringify(known)) this.telling.changed(ref)
  }

  known(ref: Ref): Known | undefined {
    return this.#known.get(refKey(ref))
  }

  add(record: ReplicaRecord): LiveReplica {
    const live: LiveReplica = new LiveReplica(record, {
      ...this.parts.replica,
      connection: () => this.#connections,
      inspect: (container, call) => this.#inspector.look(container, call),
      doubt: (error) => this.doubt(error),
      changed: ({ ref }) => this.telling.changed(ref),
      nearer: ({ ref }) => this.telling.nearer(ref),
    })
    this.replicas.set(record.engineId, refKey(record.ref), live)
    return live
  }

  /** Nothing of it is there any more. */
  forget(live: LiveReplica): void {
    live.close()
    for (const id of this.#seen.idsOf(live.record.engineId)) this.#drop(id)
    this.replicas.delete(live.record.engineId)
    this.telling.changed(live.record.ref)
  }

  gone(ref: Ref): void {
    this.#known.delete(refKey(ref))
    this.troubles.forget(ref)
    this.telling.gone(ref)
  }

  /** Whether anything of a tenant is here, or shall be. */
  has(tenant: string): boolean {
    const refs = [...this.#known.values(), ...[...this.replicas.values()].map(({ record }) => record)]
    return refs.some(({ ref }) => ref.tenant === tenant)
  }

  of(ref: Ref): LiveReplica[] {
    return this.replicas.of(refKey(ref)).filter((live) => !live.vanished)
  }

  /** Really looks, now. What the list shows as it was known is not asked for one by one. */
  async look(ref: Ref, call: Call): Promise<Observed | undefined> {
    await this.#looks.look(ref, call)
    return this.observed(ref)
  }

  async refresh(call: Call): Promise<void> {
    await this.#list({}, undefined, call)
  }

  observed(ref: Ref): Observed | undefined {
    const replicas = this.of(ref)
    const known = this.known(ref)
    const trouble = this.troubles.of(ref)
    if (!known && !trouble && replicas.length === 0) return undefined
    const facts = {
      ref: known?.ref ?? replicas[0]?.record.ref ?? ref,
      replicas: replicas.map((live) => live.facts),
      trouble,
      drift: [...new Set(replicas.flatMap(({ drift }) => drift))],
      notEnforced: known?.notEnforced ?? [],
    }
    return observedOf(facts, this.parts.clock.now())
  }

  all(): Observed[] {
    const refs = new Map<string, Ref>([...this.#known].map(([key, { ref }]) => [key, ref]))
    for (const { record } of this.replicas.values()) refs.set(refKey(record.ref), record.ref)
    return [...refs.values()].flatMap((ref) => this.observed(ref) ?? [])
  }

  /**
   * Of what went wrong while nobody waited for it. That the daemon is out of reach or refuses is seen by other ways, and a
   * close is expected; what we do not understand is as good as out of reach, until everything was looked at again.
   */
  doubt(error: unknown): void {
    if (isFault(error) || this.parts.life.signal.aborted) return
    this.#beat?.end(new Fault('bad_answer', `Docker's answer was not understood: ${error}`, { cause: error }))
  }

  /** `only`: of these alone is anything learnt; left out: of all. */
  async #list(marks: Readonly<Record<string, string>>, only: readonly Ref[] | undefined, call: Call): Promise<void> {
    const { api, installation } = this.parts
    const keys = only && new Set(only.map(refKey))
    const concerns = (ref: Ref | undefined): boolean => !keys || (ref !== undefined && keys.has(refKey(ref)))
    const wanted = { [label.installation]: installation, ...marks }
    const filters = { label: Object.entries(wanted).map(([name, value]) => `${name}=${value}`) }
    const before = only ? only.flatMap((ref) => this.#seenOf(ref)) : [...this.#seen.ids()]
    const listed = await api.containers.list({ all: true, filters }, call)
    const ids = new Set(listed.map(({ Id }) => Id))
    for (const id of before) if (!ids.has(id)) this.#take(id, undefined)
    const concerning = listed.filter(({ Labels }) => concerns(refFromLabels(installation, Labels ?? {})))
    const doubtful = concerning.filter((summary) => this.#lost !== undefined || !this.#isAsKnown(summary))
    await this.#inspector.lookAtAll(
      doubtful.map(({ Id }) => Id),
      call,
    )
  }

  #seenOf(ref: Ref): string[] {
    return this.replicas.of(refKey(ref)).flatMap(({ record }) => this.#seen.idsOf(record.engineId))
  }

  #isAsKnown({ Id, State, Names, NetworkSettings }: ContainerSummary): boolean {
    if (this.#removed.has(Id)) return true
    const known = this.#seen.get(Id)?.container
    if (known?.status !== State || !Names.includes(`/${known.name}`)) return false
    // Told by no event that we hear: somebody took it out of a network, or put it into one.
    const networks = Object.entries(NetworkSettings?.Networks ?? {})
    const isSame = networks.every(([name, { IPAddress }]) => known.addresses[name] === IPAddress)
    return isSame && networks.length === Object.keys(known.addresses).length
  }

  #take(id: string, container: ContainerSeen | undefined): void {
    if (this.#removed.has(id)) return
    const known = this.#seen.get(id)
    if (!container || container.status === 'removing') {
      if (!container && known) this.#goneFrom(id, known.engineId)
      return
    }
    const record = recordFrom(this.parts.installation, container.labels)
    if (!record) return
    const live = this.replicas.get(record.engineId) ?? this.add(record)
    this.#seen.set(id, record.engineId, { engineId: record.engineId, container })
    // What ran when we came may have been anything before; what began since is known from its start.
    live.see(container, known !== undefined && known.container.run !== container.run)
  }

  #goneFrom(id: string, engineId: string): void {
    this.#drop(id)
    const live = this.replicas.get(engineId)
    live?.gone(id)
    if (live?.vanished) this.#tidy(live)
  }

  #drop(id: string): void {
    this.#seen.delete(id)
    this.#inspector.forget(id)
    this.#removed.add(id)
  }

  /** What somebody else took away leaves volumes that nobody else needs. */
  #tidy(live: LiveReplica): void {
    const { life, replica } = this.parts
    this.forget(live)
    // Found again with the next connection, or when the instance is removed.
    replica.builder.clear(live.record, life).catch((error: unknown) => this.doubt(error))
  }

  async #follow(heard: () => void): Promise<void> {
    const { clock, life, api } = this.parts
    const beat = heartbeat({ name: 'Docker', ask: (call) => api.system.ping(call), clock }, life)
    this.#beat = beat
    try {
      const filters = { type: ['container'], label: [`${label.installation}=${this.parts.installation}`] }
      const events = await api.system.events({ filters }, beat)
      // Subscribed already: what happens while we look is told after it.
      await this.refresh(beat)
      this.#found()
      heard()
      for await (const event of events) this.#hear(event)
    } finally {
      beat.clear()
    }
  }

  #hear(event: DockerEvent): void {
    const { ID: id, Attributes } = event.Actor
    if (event.Type !== 'container') return
    // The last word about it.
    if (event.Action === 'destroy' && this.#removed.delete(id)) return
    if (this.#removed.has(id)) return
    const live = this.replicas.get(this.#seen.get(id)?.engineId ?? Attributes[engineLabel] ?? '')
    live?.hear(event)
    if (event.Action === 'destroy') {
      this.#take(id, undefined)
      this.#removed.delete(id)
      return
    }
    // What we make or start ourselves is looked at then.
    const isOwn = live?.isBusy(id) || (live && event.Action === 'create')
    if (isOwn || !changes.has(event.Action)) return
    // Out of reach: the stream of events ends too, and then everything is looked at.
    this.#inspector.look(id, this.parts.life).catch((error: unknown) => this.doubt(error))
  }

  #found(): void {
    const was = this.#lost
    this.#lost = undefined
    if (was) this.#connections += 1
    this.#removed.clear()
    // Either of us may have died in the middle of a removal.
    if (was) this.parts.sweep()
    if (was) this.telling.tell({ type: 'found' })
  }

  #lose(fault: Fault): void {
    const was = this.#lost
    this.#lost = fault
    if (!was) this.telling.tell({ type: 'lost', fault })
  }
}
