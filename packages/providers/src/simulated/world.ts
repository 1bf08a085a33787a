/**
 * The engine's side of the simulation: instances, replicas, volumes and images, all in memory, all driven by one clock.
 * An idle replica costs no timer. Ids are counted, so that the same seed of events gives the same world.
 */
import type { Clock } from '@gantry/core'
import type { TestProgram } from '../contract/program.ts'
import type { Desired } from '../desired.ts'
import type { RemoveOptions } from '../engine.ts'
import { labelsOf, ownerLabels } from '../labels.ts'
import type { Ref } from '../ref.ts'
import { goesWith, type VolumeOwner } from '../volume-owner.ts'
import type { SimInstance, SimProcess, SimReplica, SimVolume } from './objects.ts'
import { beginReplica, endReplica } from './process.ts'
import { volumeKey, volumesKey } from './volumes.ts'

export type WorldEvent =
  | { readonly type: 'changed'; readonly instance: SimInstance }
  | { readonly type: 'gone'; readonly instance: SimInstance }
  | { readonly type: 'lost' }
  | { readonly type: 'found' }

export type WorldTiming = { readonly startMs: number; readonly pullMs: number; readonly stopMs: number }

export class SimulatedWorld {
  readonly clock: Clock
  readonly timing: WorldTiming
  readonly instances = new Map<string, SimInstance>()
  readonly replicas = new Map<string, SimReplica>()
  /** By what their instance is called, which they may outlive. */
  readonly volumes = new Map<string, Map<string, SimVolume>>()
  /** Files of the machine itself, for volumes of type host. */
  readonly host = new Map<string, string>()
  /** What images run when no command is given; an image that is not here runs the empty program. */
  readonly images = new Map<string, TestProgram>()
  /** In the registry they are not. */
  readonly missingImages = new Set<string>()
  /** In the registry they are, for those who know. */
  readonly privateImages = new Map<string, { readonly username: string; readonly password: string }>()
  readonly pulled = new Set<string>()
  readonly #listeners = new Set<(event: WorldEvent) => void>()
  readonly #onLost = new Set<() => void>()
  readonly #dirty = new Set<SimInstance>()
  #counter = 0
  #reachable = true

  constructor(clock: Clock, timing: Partial<WorldTiming> = {}) {
    this.clock = clock
    this.timing = { startMs: 5, pullMs: 20, stopMs: 5, ...timing }
  }

  get reachable(): boolean {
    return this.#reachable
  }

  /** What the engine does goes on; nobody sees it. */
  cut(): void {
    this.#reachable = false
    this.#tell({ type: 'lost' })
    for (const lost of this.#onLost) lost()
  }

  heal(): void {
    this.#reachable = true
    this.#tell({ type: 'found' })
  }

  listen(listener: (event: WorldEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** For who has one connection of many, and does not care what else happens: that costs it nothing. */
  onLost(lost: () => void): () => void {
    this.#onLost.add(lost)
    return () => this.#onLost.delete(lost)
  }

  newId(what: string): string {
    this.#counter += 1
    return `sim-${what}-${this.#counter}`
  }

  /** Told once per turn, however much has changed in it. */
  changed(instance: SimInstance): void {
    if (this.#dirty.size === 0) queueMicrotask(() => this.#tellChanges())
    this.#dirty.add(instance)
  }

  createInstance(ref: Ref, installation: string): SimInstance {
    const instance: SimInstance = {
      name: instanceName(ref),
      id: this.newId('instance'),
      ref,
      installation,
      labels: ownerLabels(installation, ref),
      desired: undefined,
      replicas: new Map(),
      stalled: undefined,
    }
    this.instances.set(instance.name, instance)
    this.changed(instance)
    return instance
  }

  createReplica(instance: SimInstance, desired: Desired, index: number): SimReplica {
    const services = new Map<string, SimProcess>()
    const replica: SimReplica = {
      id: this.newId('replica'),
      index,
      instance,
      desired,
      services,
      terminating: false,
      ended: false,
      failed: undefined,
      readySince: undefined,
    }
    for (const spec of desired.services) services.set(spec.name, this.#process(spec))
    instance.replicas.set(replica.id, replica)
    this.replicas.set(replica.id, replica)
    this.#claimVolumes(desired, index)
    beginReplica(this, replica)
    this.changed(instance)
    return replica
  }

  /** Asks its processes to end; `ended` says when they have. */
  endReplica(replica: SimReplica, graceMs: number): void {
    if (!replica.terminating) endReplica(this, replica, graceMs)
  }

  /** All its processes are gone: what it wrote was read, what it kept for itself goes with it. */
  forgetReplica(replica: SimReplica): void {
    for (const process of replica.services.values()) {
      for (const cancel of process.cancels.splice(0)) cancel()
      process.log?.end()
    }
    replica.instance.replicas.delete(replica.id)
    this.replicas.delete(replica.id)
    this.changed(replica.instance)
  }

  forgetInstance(instance: SimInstance): void {
    this.instances.delete(instance.name)
    this.#dirty.delete(instance)
    this.#tell({ type: 'gone', instance })
  }

  /** What is retained stays, unless it is told to go too. */
  forgetVolumes(owner: VolumeOwner, options: RemoveOptions): void {
    for (const slot of ['a', 'b'] as const) {
      const place = volumesKey({ ...owner, ref: { ...owner.ref, slot } })
      const volumes = this.volumes.get(place)
      for (const [key, volume] of volumes ?? []) {
        if (goesWith(volume, owner, options, (ref) => this.instances.has(instanceName(ref)))) volumes?.delete(key)
      }
      if (volumes?.size === 0) this.volumes.delete(place)
    }
  }

  /** Whether one that had this name before still runs with a volume that this replica would have. */
  isTaken(desired: Desired, index: number): boolean {
    const left = this.volumes.get(volumesKey(desired))
    if (!left) return false
    return desired.services
      .flatMap(({ volumes }) => volumes)
      .some(({ name, type }) => {
        const holder = type === 'persistent' ? left.get(volumeKey(index, name))?.ref : undefined
        if (!holder || holder.uid === desired.ref.uid) return false
        return (this.instances.get(instanceName(holder))?.replicas.size ?? 0) > 0
      })
  }

  #process(spec: Desired['services'][number]): SimProcess {
    return {
      id: this.newId('process'),
      spec,
      program: {},
      phase: 'waiting',
      ready: false,
      startedAt: undefined,
      restarts: 0,
      exitCode: undefined,
      message: undefined,
      crashes: [],
      cancels: [],
      log: undefined,
      files: undefined,
      commands: new Set(),
    }
  }

  /** One per replica and name; one that is there from an earlier life is taken up again with what is in it. */
  #claimVolumes(desired: Desired, index: number): void {
    const { installation, ref } = desired
    for (const { name, type, retain } of desired.services.flatMap(({ volumes }) => volumes)) {
      if (type !== 'persistent') continue
      const key = volumeKey(index, name)
      const place = volumesKey(desired)
      const own = this.volumes.get(place) ?? new Map<string, SimVolume>()
      this.volumes.set(place, own)
      const labels = labelsOf(desired, { replica: index })
      const found = own.get(key)
      if (found) Object.assign(found, { ref, retain, labels })
      else {
        const id = this.newId('volume')
        own.set(key, { id, installation, ref, name, index, retain, labels, files: new Map() })
      }
    }
  }

  #tellChanges(): void {
    const dirty = [...this.#dirty]
    this.#dirty.clear()
    for (const instance of dirty) this.#tell({ type: 'changed', instance })
  }

  #tell(event: WorldEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

export const instanceName = ({ uid, slot }: Ref): string => `${uid}-${slot}`
