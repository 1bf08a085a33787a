/** What is there of one replica: its containers as they were last seen, and what they amount to. */
import { label } from '../../labels.ts'
import type { DockerEvent } from '../api/types/events.ts'
import { holderRole, type ReplicaRecord } from '../plan/record.ts'
import type { ReplicaFacts } from './facts.ts'
import { type ContainerSeen, runs } from './seen.ts'
import type { ServiceMemory } from './service-memory.ts'

export class ReplicaState {
  readonly record: ReplicaRecord
  /** The tenant's network. */
  readonly network: string
  readonly services: ReadonlyMap<string, ServiceMemory>
  readonly #changed: () => void
  #holder: ContainerSeen | undefined
  /** The run of the holder that we know of: another one is not our doing. */
  #heldIn: string | undefined
  /** Services that we have started: somebody else may hear of it before we are answered. */
  readonly begun = new Set<string>()
  #seen = false

  constructor(
    record: ReplicaRecord,
    network: string,
    memoryOf: (service: ReplicaRecord['services'][number]) => ServiceMemory,
    changed: () => void,
  ) {
    this.record = record
    this.network = network
    this.services = new Map(record.services.map((service) => [service.name, memoryOf(service)]))
    this.#changed = changed
  }

  get holder(): ContainerSeen | undefined {
    return this.#holder
  }

  /** Every container of it that is there. */
  get containers(): ContainerSeen[] {
    const services = [...this.services.values()].map(({ container }) => container)
    return [...services, this.#holder].filter((container) => container !== undefined)
  }

  /** Who has the network. */
  get owner(): ContainerSeen | undefined {
    return this.record.group ? this.#holder : this.containers[0]
  }

  get address(): string | undefined {
    const { owner } = this
    return runs(owner) ? owner?.addresses[this.network] || undefined : undefined
  }

  /** None of its containers is there any more. */
  get vanished(): boolean {
    return this.#seen && this.containers.length === 0
  }

  factsWhile(terminating: boolean): ReplicaFacts {
    const services = [...this.services.values()].map(({ facts }) => facts)
    return { record: this.record, terminating, address: this.address, holder: this.#holder, services }
  }

  /** The daemon has started it anew, with what is in it in whatever order: only where there is none to keep, that is well. */
  get isRevived(): boolean {
    const { files, services } = this.record
    const ordered = files || services.some(({ role, dependsOn }) => role === 'init' || dependsOn.length > 0)
    return ordered && this.#heldIn !== undefined && runs(this.#holder) && this.#heldIn !== this.#holder?.run
  }

  /** The holder runs as we have started it. */
  held(): void {
    this.#heldIn = this.#holder?.run
    this.#findStale()
  }

  see(container: ContainerSeen, fresh: boolean): void {
    this.#seen = true
    if (container.labels[label.role] === holderRole) {
      const before = this.#holder
      this.#holder = container
      if (this.#heldIn === undefined && runs(container)) this.#heldIn = container.run
      if (JSON.stringify(before) !== JSON.stringify(container)) this.#changed()
    } else {
      const name = container.labels[label.service] ?? ''
      this.services.get(name)?.see(container, fresh || this.begun.has(name))
    }
    this.#findStale()
  }

  gone(container: string): void {
    if (this.#holder?.id === container) this.#holder = undefined
    for (const service of this.services.values()) if (service.container?.id === container) service.see(undefined, false)
    this.#findStale()
    this.#changed()
  }

  hear(event: DockerEvent): void {
    for (const service of this.services.values()) if (service.container?.id === event.Actor.ID) service.hear(event)
  }

  /** What runs in a network that is no more, or was started by the daemon out of its order. */
  #findStale(): void {
    if (!this.record.group) return
    const { startedAt } = this.#holder ?? {}
    for (const service of this.services.values()) {
      const { container } = service
      if (container?.startedAt === undefined) service.stale = false
      else if (startedAt === undefined || !runs(this.#holder)) service.stale = true
      else service.stale = container.startedAt < startedAt || this.isRevived
    }
  }
}
