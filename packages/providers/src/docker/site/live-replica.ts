/** One replica while this engine runs: its containers, and the steps that bring it up, mend it and bring it down. */
import { type Call, type Clock, type Fault, isFault } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import { label } from '../../labels.ts'
import { type Progress, startable } from '../../start-order.ts'
import type { DockerApi } from '../api/api.ts'
import type { DockerEvent } from '../api/types/events.ts'
import { filesPlaced } from '../files/place.ts'
import type { ImageState } from '../images/images.ts'
import { networkName } from '../names.ts'
import { holderName, type Placement, serviceName } from '../plan/container.ts'
import type { LimitName } from '../plan/limits.ts'
import { holderRole, type ReplicaRecord } from '../plan/record.ts'
import { isToRestart, restartPolicy } from '../plan/restart.ts'
import type { Builder } from './builder.ts'
import { driftOf, mendOf } from './drift.ts'
import { isReplicaReady, progressOf, type ReplicaFacts, type ServiceFacts } from './facts.ts'
import { type ContainerSeen, lives, runs } from './seen.ts'
import { ServiceMemory } from './service-memory.ts'
import { Stopping } from './stopping.ts'

export type ReplicaParts = {
  readonly api: DockerApi
  readonly builder: Builder
  readonly installation: string
  readonly enforces: ReadonlySet<LimitName>
  readonly clock: Clock
  readonly random: () => number
  /** For as long as the engine is used. */
  readonly life: Call
  /** Looks at a container, and tells whoever it belongs to. */
  readonly inspect: (container: string, call: Call) => Promise<void>
  readonly exec: (container: string, request: ExecRequest, call: Call) => Promise<ExecSession>
  /** The last line of a container's output, as it may be quoted. */
  readonly lastLine: (container: ContainerSeen, desired: Desired | undefined) => Promise<string | undefined>
  readonly changed: (record: ReplicaRecord) => void
  /** It has come nearer to what is waited for, which can be told together with the next change. */
  readonly nearer: (record: ReplicaRecord) => void
}

/** What could not be started is tried again after this, and then later and later. */
const firstRetryMs = 500
const longestRetryMs = 30_000
/** How long after an end we start anew what the daemon leaves to us. */
const restartMs = 100

export class LiveReplica {
  readonly #parts: ReplicaParts
  readonly record: ReplicaRecord
  readonly services: ReadonlyMap<string, ServiceMemory>
  readonly #stopping: Stopping
  #holder: ContainerSeen | undefined
  #desired: Desired | undefined
  #images: Readonly<Record<string, ImageState>> = {}
  /** One step after another, whoever asks. */
  #turn: Promise<unknown> = Promise.resolve()
  /** All of it was there once: what is missing from then on, somebody has taken away. */
  #built = false
  /** The run of the holder that has the files. */
  #filled: string | undefined
  /** The run of the holder that we know of: another one is not our doing. */
  #heldIn: string | undefined
  readonly #retries = new Map<string, { readonly at: number; readonly waitMs: number }>()
  readonly #timers = new Map<string, () => void>()
  /** Services that we have started: somebody else may hear of it before we are answered. */
  readonly #begun = new Set<string>()
  /** Whether a container of it was ever seen: if then none is left, somebody has taken them away. */
  seen = false
  /** Somebody has changed of it what cannot be put back. */
  edited = false

  constructor(record: ReplicaRecord, parts: ReplicaParts) {
    this.#parts = parts
    this.record = record
    this.services = new Map(record.services.map((service) => [service.name, this.#memoryOf(service)]))
    this.#stopping = new Stopping({
      api: parts.api,
      clock: parts.clock,
      life: parts.life,
      ended: (container) => {
        void this.#inspected(container, parts.life).then(() => this.kick())
      },
    })
  }

  get terminating(): boolean {
    return this.#stopping.begun
  }

  get holder(): ContainerSeen | undefined {
    return this.#holder
  }

  get desired(): Desired | undefined {
    return this.#desired
  }

  /** Every container of it that is there. */
  get containers(): ContainerSeen[] {
    const services = [...this.services.values()].map(({ container }) => container)
    return [...services, this.#holder].filter((container) => container !== undefined)
  }

  get address(): string | undefined {
    const owner = this.record.group ? this.#holder : this.containers[0]
    const address = owner?.addresses[this.#network]
    return runs(owner) && address ? address : undefined
  }

  get #network(): string {
    return networkName(this.#parts.installation, this.record.ref.tenant)
  }

  get facts(): ReplicaFacts {
    return {
      record: this.record,
      terminating: this.terminating,
      address: this.address,
      holder: this.#holder,
      services: [...this.services.values()].map(({ facts }) => facts),
    }
  }

  get drift(): string[] {
    if (!this.#desired || this.terminating) return []
    return driftOf(this.#desired, (name) => this.services.get(name)?.container, this.#parts.enforces)
  }

  /** None of its containers is there any more, though we did not take them away. */
  get vanished(): boolean {
    return this.seen && this.containers.length === 0
  }

  see(container: ContainerSeen, fresh: boolean): void {
    this.seen = true
    if (container.labels[label.role] === holderRole) {
      const before = this.#holder
      this.#holder = container
      if (this.#heldIn === undefined && runs(container)) this.#heldIn = container.run
      if (JSON.stringify(before) !== JSON.stringify(container)) this.#parts.changed(this.record)
    } else {
      const name = container.labels[label.service] ?? ''
      this.services.get(name)?.see(container, fresh || this.#begun.has(name))
    }
    this.#findStale()
  }

  gone(container: string): void {
    if (this.#holder?.id === container) this.#holder = undefined
    for (const service of this.services.values()) if (service.container?.id === container) service.see(undefined, false)
    this.#findStale()
    this.#parts.changed(this.record)
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
      else service.stale = container.startedAt < startedAt || this.#isRevived
    }
  }

  /** The daemon has started it anew, with what is in it in whatever order: only where there is none to keep, that is well. */
  get #isRevived(): boolean {
    const { files, services } = this.record
    const ordered = files || services.some(({ role, dependsOn }) => role === 'init' || dependsOn.length > 0)
    return ordered && this.#heldIn !== undefined && runs(this.#holder) && this.#heldIn !== this.#holder?.run
  }

  /** Knows from now on what it is made of, mends what is missing, and starts what may start. */
  async tend(desired: Desired, call: Call): Promise<void> {
    this.#desired = desired
    for (const service of this.services.values()) service.restart = desired.restart
    await this.#inTurn(async () => {
      if (!this.terminating) await this.#advance(desired, true, call)
    })
  }

  /** Something has changed: goes on by itself, between passes. What it cannot do is said on the service it is about. */
  kick(): void {
    const { life } = this.#parts
    if (life.signal.aborted) return
    this.#inTurn(async () => {
      if (this.terminating) this.#stopping.step(this.services.values())
      else if (this.#desired) await this.#advance(this.#desired, false, life)
    }).catch((error: unknown) => {
      // Out of reach is seen by whoever watches, and what was to be done is done when it is back.
      if (life.signal.aborted || isPassing(error)) return
      const [first] = this.services.values()
      first?.trouble(refusalOf(error))
    })
  }

  /** News of images on their way. */
  imagesChanged(states: Readonly<Record<string, ImageState>>): void {
    this.#noteImages(states)
    this.kick()
  }

  /** True: nothing of it runs any more. */
  async stop(graceMs: number): Promise<boolean> {
    this.#stopping.begin(graceMs)
    for (const cancel of this.#timers.values()) cancel()
    this.#parts.changed(this.record)
    return await this.#inTurn(async () => this.#stopping.step(this.services.values()))
  }

  /** Everything of it that is there, by id; the holder last, since others hang on it. */
  async remove(call: Call): Promise<void> {
    this.#stopping.begin(0)
    await this.#inTurn(async () => {
      const { api, builder } = this.#parts
      const holder = this.#holder?.id
      const gone = async (container: string): Promise<void> => {
        await api.containers.remove(container, { force: true, volumes: true }, call)
      }
      await Promise.all(this.containers.map(({ id }) => (id === holder ? undefined : gone(id))))
      if (holder !== undefined) await gone(holder)
      await builder.clear(this.record, call)
    })
    this.close()
  }

  /** Lets go of timers and probes; what runs goes on. */
  close(): void {
    for (const cancel of this.#timers.values()) cancel()
    for (const service of this.services.values()) service.stop()
  }

  async #advance(desired: Desired, mending: boolean, call: Call): Promise<void> {
    if (mending) await this.#mend(desired, call)
    if (!(await this.#complete(desired, mending, call))) return
    await this.#settlePolicies(desired, call)
    await this.#restartEnded(mending, call)
    for (;;) {
      const next = this.#startableNow(desired)
      if (next.length === 0) return
      await this.#startAll(next, call)
    }
  }

  /** What a person has changed is put back. */
  async #mend(desired: Desired, call: Call): Promise<void> {
    const { api, enforces } = this.#parts
    for (const service of desired.services) {
      const container = this.services.get(service.name)?.container
      if (!container) continue
      const mend = mendOf(service, container, enforces)
      if (mend.do === 'replace') this.edited = true
      if (mend.do === 'update')
        await this.#changed(container.id, api.containers.update(container.id, mend.settings, call), call)
    }
    for (const container of this.containers) {
      const name =
        container === this.#holder
          ? holderName(this.record)
          : serviceName(this.record, container.labels[label.service] ?? '')
      if (container.status === 'paused')
        await this.#changed(container.id, api.containers.unpause(container.id, call), call)
      if (container.name !== name)
        await this.#changed(container.id, api.containers.rename(container.id, name, call), call)
    }
    const owner = this.record.group ? this.#holder : this.containers[0]
    if (owner && runs(owner) && owner.addresses[this.#network] === undefined) this.edited = true
    await this.#endStale(desired, call)
  }

  /** In a network that is no more, or out of order: ended, and then started again with the others. */
  async #endStale(desired: Desired, call: Call): Promise<void> {
    const stale = [...this.services.values()].filter(({ container, stale }) => stale && lives(container))
    await Promise.all(
      stale.map(async (service) => {
        const id = service.container?.id ?? ''
        service.asking = true
        try {
          await this.#parts.api.containers.stop(id, Math.min(desired.stopGraceSeconds, 1), call)
          await this.#inspected(id, call)
        } finally {
          service.asking = false
        }
      }),
    )
    // Younger than all that was in it, so that everything is to be started again, in its order.
    if (this.#isRevived && this.#holder) await this.#startHolder(true, call)
  }

  /** Makes what is missing, and has the holder run with its files. False: there is something to wait for first. */
  async #complete(desired: Desired, mending: boolean, call: Call): Promise<boolean> {
    const { group, files } = this.record
    const missing = desired.services.filter(({ name }) => !this.services.get(name)?.container)
    const isWhole = missing.length === 0 && (!group || this.#holder !== undefined)
    if (isWhole) this.#built = true
    else if (this.#built && !mending) return false
    if (isWhole && (!group || (runs(this.#holder) && (!files || this.#filled === this.#holder?.run)))) return true
    if (!isWhole && !(await this.#imagesHere(desired, call))) return false
    try {
      await this.#make(desired, missing, call)
    } catch (error) {
      if (isPassing(error) || !isFault(error) || error.reason === 'foreign_object') throw error
      return this.#couldNot(this.#blamed(missing), error)
    }
    this.#built = true
    this.#parts.builder.haveImages(this.record.engineId)
    return true
  }

  async #make(desired: Desired, missing: readonly DesiredService[], call: Call): Promise<void> {
    const { builder, api } = this.#parts
    const { group, files } = this.record
    const placement = await builder.placement(desired, this.record, call)
    const hasFiles = ({ name }: DesiredService): boolean => placement.files.some(({ service }) => service === name)
    const make = (service: DesiredService): Promise<void> => this.#makeService(desired, service, placement, call)
    const early = missing.filter((service) => !hasFiles(service))
    await Promise.all([
      group && !this.#holder
        ? builder.holder(desired, placement, call).then((id) => this.#inspected(id, call))
        : undefined,
      ...early.map(make),
    ])
    if (!group) return
    if (!runs(this.#holder)) await this.#startHolder(false, call)
    const holder = this.#holder
    if (files && holder && this.#filled !== holder.run) {
      const known = missing.length === 0 && (await filesPlaced(api, holder.id, call))
      if (!known) await builder.files(desired, placement, (name) => this.#imageOf(name), holder.id, call)
      this.#filled = holder.run
    }
    await Promise.all(missing.filter(hasFiles).map(make))
  }

  async #makeService(desired: Desired, service: DesiredService, placement: Placement, call: Call): Promise<void> {
    const id = await this.#parts.builder.service(desired, service, this.#imageOf(service.name), placement, call)
    await this.#inspected(id, call)
  }

  async #startHolder(anew: boolean, call: Call): Promise<void> {
    const { containers } = this.#parts.api
    const id = this.#holder?.id ?? ''
    await (anew ? containers.restart(id, 0, call) : containers.start(id, call))
    await this.#inspected(id, call)
    this.#heldIn = this.#holder?.run
    this.#findStale()
  }

  #imageOf(service: string): string {
    const state = this.#images[service]
    return this.services.get(service)?.container?.image ?? (state?.state === 'here' ? state.image.Id : '')
  }

  async #imagesHere(desired: Desired, call: Call): Promise<boolean> {
    const states = await this.#parts.builder.images(desired, this.record.engineId, call)
    this.#noteImages(states)
    this.#images = states
    return Object.values(states).every(({ state }) => state === 'here')
  }

  #noteImages(states: Readonly<Record<string, ImageState>>): void {
    for (const [name, state] of Object.entries(states)) {
      const service = this.services.get(name)
      if (!service) continue
      const failed = state.state === 'failed' ? state : state.state === 'pulling' ? state.failed : undefined
      const pulling = state.state === 'pulling' ? state.message : undefined
      if (service.pulling !== pulling) this.#parts.changed(this.record)
      service.pulling = pulling
      service.trouble(failed && { reason: failed.reason, message: failed.message })
    }
  }

  /** Whether the daemon restarts by itself, as it is now wanted and as far as it is still allowed. */
  async #settlePolicies(desired: Desired, call: Call): Promise<void> {
    const { api, clock } = this.#parts
    await Promise.all(
      [...this.services.values()].map(async ({ container, record, restarts }) => {
        const wanted = restartPolicy(desired.restart, record.role, restarts.within(clock.now()))
        if (!container || container.policy === wanted.Name) return
        await this.#changed(container.id, api.containers.update(container.id, { RestartPolicy: wanted }, call), call)
      }),
    )
  }

  /** What has ended and is to run again, and the daemon does not see to it. */
  async #restartEnded(mending: boolean, call: Call): Promise<void> {
    const { clock } = this.#parts
    for (const service of this.services.values()) {
      const { container, record, stale, exhausted, restart } = service
      const { lastExit } = service.facts
      if (container?.status !== 'exited' || container.startedAt === undefined || stale || exhausted || !restart)
        continue
      if (record.role === 'init' || restart.policy === 'never') continue
      const byHand = container.policy !== 'no'
      if (byHand ? !mending : !isToRestart(restart, record.role, container.exitCode) && !lastExit?.byOthers) continue
      const due = (container.finishedAt ?? 0) + restartMs * 2 ** Math.min(8, service.restarts.within(clock.now()))
      if (!byHand && clock.now() < due) this.#later(record.name, due - clock.now())
      else if (await this.#start(service, call)) service.restarts.add(clock.now())
    }
  }

  /** In the order to start them in. */
  #startableNow({ services }: Desired): ServiceMemory[] {
    const facts = new Map([...this.services].map(([name, service]) => [name, service.facts] as const))
    const others = [...facts.values()]
    const progress = (name: string): Progress => {
      const each: ServiceFacts | undefined = facts.get(name)
      return each ? progressOf(each, others) : 'failed'
    }
    const wanted = new Set(services.map(({ name }) => name))
    return startable(this.record.services, progress).flatMap((name) => {
      const service = this.services.get(name)
      if (!service?.container || !wanted.has(name) || lives(service.container) || this.#isTooSoon(name)) return []
      return [service]
    })
  }

  async #startAll(services: readonly ServiceMemory[], call: Call): Promise<void> {
    await Promise.all(services.map((service) => this.#start(service, call)))
  }

  async #start(service: ServiceMemory, call: Call): Promise<boolean> {
    const id = service.container?.id ?? ''
    const { name } = service.record
    if (this.#isTooSoon(name)) return false
    this.#begun.add(name)
    try {
      await this.#parts.api.containers.start(id, call)
    } catch (error) {
      if (isPassing(error) || !isFault(error)) throw error
      await this.#inspected(id, call)
      return this.#couldNot(service, error)
    }
    await this.#inspected(id, call)
    this.#retries.delete(name)
    service.trouble(undefined)
    return true
  }

  /** Said on the service it is about, and tried again, later each time. */
  #couldNot(service: ServiceMemory | undefined, fault: Fault): false {
    if (!service) throw fault
    const { name } = service.record
    const waitMs = Math.min(longestRetryMs, 2 * (this.#retries.get(name)?.waitMs ?? firstRetryMs / 2))
    this.#retries.set(name, { at: this.#parts.clock.monotonic() + waitMs, waitMs })
    service.trouble(refusalOf(fault))
    this.#later(name, waitMs)
    return false
  }

  /** Which service a failure of the whole is about: who wants a port of the machine, else the first. */
  #blamed(missing: readonly DesiredService[]): ServiceMemory | undefined {
    const binding = this.record.services.find(({ ports }) => ports.some(({ hostPort }) => hostPort > 0))
    return this.services.get(binding?.name ?? missing[0]?.name ?? this.record.services[0]?.name ?? '')
  }

  #isTooSoon(name: string): boolean {
    return this.#parts.clock.monotonic() < (this.#retries.get(name)?.at ?? 0)
  }

  #later(name: string, ms: number): void {
    this.#timers.get(name)?.()
    this.#timers.set(
      name,
      this.#parts.clock.after(ms, () => this.kick()),
    )
  }

  async #changed(container: string, work: Promise<void>, call: Call): Promise<void> {
    try {
      await work
    } catch (error) {
      // Gone meanwhile, which is seen.
      if (!isFault(error) || error.reason !== 'engine_object_not_found') throw error
    }
    await this.#inspected(container, call)
  }

  async #inspected(container: string, call: Call): Promise<void> {
    await this.#parts.inspect(container, call)
  }

  #restartUnhealthy(service: ServiceMemory): void {
    const { api, clock, life } = this.#parts
    const id = service.container?.id
    if (this.terminating || service.exhausted || id === undefined || !this.#desired) return
    const grace = this.#desired.stopGraceSeconds
    service.restarts.add(clock.now())
    service.asking = true
    void this.#inTurn(() => api.containers.restart(id, grace, life))
      .catch((error: unknown) => {
        if (!life.signal.aborted && !isPassing(error)) service.trouble(refusalOf(error))
      })
      .finally(() => {
        service.asking = false
      })
  }

  #memoryOf(record: ReplicaRecord['services'][number]): ServiceMemory {
    const { clock, random, changed, nearer, exec, lastLine } = this.#parts
    const memory: ServiceMemory = new ServiceMemory({
      record,
      clock,
      random,
      address: () => this.address,
      exec,
      lastLine: (container) => lastLine(container, this.#desired),
      changed: () => {
        changed(this.record)
        this.kick()
      },
      ready: () => {
        if (isReplicaReady(this.facts)) changed(this.record)
        else nearer(this.record)
        this.kick()
      },
      unhealthy: () => this.#restartUnhealthy(memory),
    })
    return memory
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work)
    this.#turn = next.catch(() => undefined)
    return next
  }
}

/** The daemon is out of reach, slow, or busy with something of ours: nothing that has to be said of a service. */
const isPassing = (error: unknown): boolean =>
  isFault(error, 'unavailable') ? !['engine_full', 'engine_refused'].includes(error.reason) : isFault(error, 'deadline')

function refusalOf(error: unknown): { reason: Fault['reason']; message: string } {
  if (!isFault(error)) return { reason: 'rollout_stalled', message: String(error) }
  if (error.reason === 'port_in_use') {
    const message = `a port of the machine is held by another program; stop it, or choose another hostPort (${error.message})`
    return { reason: 'port_in_use', message }
  }
  return { reason: error.reason, message: error.message }
}
