/** All that is ours on this machine: records, the processes that the supervisor tells of, and who wants to know. */
import { type Call, type Clock, Fault } from '@gantry/core'
import { engineLabel, label, refFromLabels } from '../labels.ts'
import type { Observed } from '../observed.ts'
import { type Ref, refKey, refName } from '../ref.ts'
import { keepFollowing } from '../tended/following.ts'
import { Grouped } from '../tended/grouped.ts'
import { Telling } from '../tended/telling.ts'
import type { SiteEvent, TendedSite } from '../tended/tended-site.ts'
import { Troubles } from '../tended/troubles.ts'
import { removeReplicaFiles } from './files.ts'
import type { Link } from './link.ts'
import { LiveReplica } from './live-replica.ts'
import { observedOf } from './observe.ts'
import { instanceKey, type Places } from './places.ts'
import { recordFromLabels } from './plan.ts'
import type { RecordStore } from './record-store.ts'
import type { InstanceRecord, ReplicaRecord, VolumeRecord } from './records.ts'
import { refusal, stalled } from './refusal.ts'
import type { ProcessEvent, ProcessSeen } from './supervisor/process-seen.ts'

export type SiteParts = {
  readonly installation: string
  readonly places: Places
  readonly link: Link
  readonly clock: Clock
  readonly random: () => number
  readonly instances: RecordStore<InstanceRecord>
  readonly replicas: RecordStore<ReplicaRecord>
  readonly volumes: RecordStore<VolumeRecord>
}

export class Site implements TendedSite {
  readonly parts: SiteParts
  /** By engine id; those of an instance are a group. */
  readonly replicas = new Grouped<LiveReplica>()
  readonly troubles: Troubles
  readonly telling: Telling
  /** Ids are never used again: a late word about what is removed is not believed. */
  readonly #removed = new Set<string>()
  #lost: Fault | undefined = new Fault('engine_unreachable', 'The supervisor was not reached yet')
  #following: Promise<void> = Promise.resolve()

  constructor(parts: SiteParts) {
    this.parts = parts
    this.telling = new Telling(parts.clock)
    this.troubles = new Troubles({
      clock: parts.clock,
      changed: (ref) => this.telling.changed(ref),
      refusal,
      tryAgainMs: 500,
    })
    for (const record of parts.replicas.values()) if (record.installation === parts.installation) this.add(record)
  }

  get clock(): Clock {
    return this.parts.clock
  }

  get lost(): Fault | undefined {
    return this.#lost
  }

  listen(listener: (event: SiteEvent) => void): () => void {
    return this.telling.listen(listener)
  }

  /** Looks once, and from then on hears of every change. */
  async open(call: Call): Promise<void> {
    await this.refresh(call)
    const { clock, link } = this.parts
    this.#following = keepFollowing({
      clock,
      life: link.call,
      follow: (heard) => this.#follow(heard),
      lost: (fault) => this.#lose(fault),
    })
  }

  async refresh(call: Call): Promise<void> {
    const { link, installation, clock } = this.parts
    const asked = clock.monotonic()
    this.#takeAll(await link.supervisor.list({ [label.installation]: installation }, call), asked)
  }

  async close(): Promise<void> {
    this.telling.close()
    for (const replica of this.replicas.values()) replica.close()
    this.parts.link.close()
    await this.#following
  }

  add(record: ReplicaRecord): LiveReplica {
    const { places, link, clock, random, replicas } = this.parts
    const live = new LiveReplica(record, {
      places,
      link,
      clock,
      random,
      save: async (next) => {
        await replicas.put(next.engineId, next)
        await replicas.settled()
      },
      changed: ({ ref }) => this.telling.changed(ref),
      nearer: ({ ref }) => this.telling.nearer(ref),
      holderOf: (port) => this.#holderOf(port, record.engineId),
    })
    this.replicas.set(record.engineId, refKey(record.ref), live)
    return live
  }

  /** Everything of it is gone: the record last, so that nothing is left that nobody knows of. */
  async forget(live: LiveReplica): Promise<void> {
    const { engineId, ref } = live.record
    live.close()
    for (const { id } of live.services.values()) this.#removed.add(id)
    await removeReplicaFiles(this.parts.places, engineId)
    await this.parts.replicas.delete(engineId)
    this.replicas.delete(engineId)
    this.telling.changed(ref)
  }

  of(ref: Ref): LiveReplica[] {
    return this.replicas.of(refKey(ref)).filter(({ vanished }) => !vanished)
  }

  /** Our own record of it; one of another installation is as good as absent. */
  instance(ref: Ref): InstanceRecord | undefined {
    const found = this.parts.instances.get(instanceKey(ref))
    return found?.installation === this.parts.installation ? found : undefined
  }

  /** Really looks, now. */
  async look(ref: Ref, call: Call): Promise<Observed | undefined> {
    const { link, installation, clock } = this.parts
    const asked = clock.monotonic()
    const labels = { [label.installation]: installation, [label.uid]: ref.uid, [label.slot]: ref.slot }
    const seen = await link.supervisor.list(labels, call)
    await this.#takeOf(ref, seen, asked)
    return this.observed(ref)
  }

  observed(ref: Ref): Observed | undefined {
    const record = this.instance(ref)
    const replicas = this.of(ref).map(({ facts }) => facts)
    const trouble = this.troubles.of(ref)
    if (!record && !trouble && replicas.length === 0) return undefined
    return observedOf({ ref: record?.ref ?? ref, record, replicas, trouble }, this.parts.clock.now())
  }

  all(): Observed[] {
    const refs = new Map<string, Ref>()
    for (const { ref, installation } of this.parts.instances.values()) {
      if (installation === this.parts.installation) refs.set(refKey(ref), ref)
    }
    for (const { record } of this.replicas.values()) refs.set(refKey(record.ref), record.ref)
    return [...refs.values()].flatMap((ref) => this.observed(ref) ?? [])
  }

  gone(ref: Ref): void {
    this.troubles.forget(ref)
    this.telling.gone(ref)
  }

  /** What the supervisor says of one process, to the replica that it belongs to. */
  take(process: ProcessSeen, fresh: boolean, asked?: number): void {
    if (this.#removed.has(process.id)) return
    const { [engineLabel]: engineId, [label.service]: service } = process.labels
    if (engineId === undefined || service === undefined) return
    const known = this.replicas.get(engineId)
    const live = known?.services.has(service) ? known : this.#adopt(process, known)
    live?.see(service, process, fresh, asked)
  }

  /** Processes that carry our marks and are on no record are ours all the same: to be seen, and to be removed. */
  #adopt(process: ProcessSeen, known: LiveReplica | undefined): LiveReplica | undefined {
    const ref = refFromLabels(this.parts.installation, process.labels)
    if (!ref) return undefined
    const found = recordFromLabels(ref, process.labels, new Date(this.parts.clock.now()))
    if (!known) return this.add(found)
    known.close()
    const whole = this.add({ ...known.record, services: [...known.record.services, ...found.services] })
    for (const [name, { process: seen }] of known.services) whole.see(name, seen, false)
    return whole
  }

  /** Which of our own other replicas has this port, as it is called in a message. */
  #holderOf(port: number, engineId: string): string | undefined {
    const holder = [...this.replicas.values()].find(({ record }) => {
      return (
        record.engineId !== engineId && record.services.some(({ ports }) => ports.some(({ number }) => number === port))
      )
    })
    return holder && `replica ${holder.record.index} of ${refName(holder.record.ref)}`
  }

  #takeAll(all: readonly ProcessSeen[], asked?: number): void {
    const ids = new Set(all.map(({ id }) => id))
    for (const process of all) this.take(process, this.#wasSeen(process), asked)
    for (const live of this.replicas.values()) this.#missing(live, ids, asked)
    const was = this.#lost
    this.#lost = undefined
    if (was) this.telling.tell({ type: 'found' })
  }

  async #takeOf(ref: Ref, seen: readonly ProcessSeen[], asked: number): Promise<void> {
    const ids = new Set(seen.map(({ id }) => id))
    for (const process of seen) this.take(process, this.#wasSeen(process), asked)
    for (const live of this.replicas.of(refKey(ref))) {
      this.#missing(live, ids, asked)
      if (live.vanished) await this.forget(live)
    }
  }

  /** What ran when we came may have been anything before; what began since is known from its start. */
  #wasSeen({ id, labels, run }: ProcessSeen): boolean {
    const live = this.replicas.get(labels[engineLabel] ?? '')
    const known = [...(live?.services.values() ?? [])].find((each) => each.id === id)?.process
    return known !== undefined && known.run <= run
  }

  #missing(live: LiveReplica, ids: ReadonlySet<string>, asked: number | undefined): void {
    for (const [name, { id, process }] of live.services) {
      if (process && !ids.has(id)) live.see(name, undefined, false, asked)
    }
  }

  async #follow(heard: () => void): Promise<void> {
    const { link } = this.parts
    for await (const event of link.supervisor.watch(link.call)) {
      heard()
      await this.#hear(event)
    }
  }

  async #hear(event: ProcessEvent): Promise<void> {
    if (event.type === 'snapshot') {
      const own = event.processes.filter(({ labels }) => labels[label.installation] === this.parts.installation)
      this.#removed.clear()
      this.#takeAll(own)
    } else if (event.type === 'changed') {
      if (event.process.labels[label.installation] === this.parts.installation) this.take(event.process, true)
      return
    }
    const removed = event.type === 'removed' ? event.id : undefined
    for (const live of this.replicas.values()) {
      for (const [name, { id }] of live.services) if (id === removed) live.see(name, undefined, false)
      if (live.vanished) await this.#tidy(live)
    }
  }

  /** What somebody else took away is cleaned up after; where that fails, the next look tries again. */
  async #tidy(live: LiveReplica): Promise<void> {
    try {
      await this.forget(live)
    } catch (error) {
      const { ref, index } = live.record
      this.troubles.note(ref, stalled(`what is left of replica ${index} cannot be removed: ${error}`))
    }
  }

  #lose(fault: Fault): void {
    const was = this.#lost
    this.#lost = fault
    if (!was) this.telling.tell({ type: 'lost', fault })
  }
}
