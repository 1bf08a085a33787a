/** One replica while this engine runs: what is there of it, and the steps that bring it up, mend it and bring it down. */
import type { Call, Clock } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import { InTurn } from '../../tended/in-turn.ts'
import type { DockerApi } from '../api/api.ts'
import type { DockerEvent } from '../api/types/events.ts'
import type { ImageState } from '../images/images.ts'
import { networkName } from '../names.ts'
import type { LimitName } from '../plan/limits.ts'
import type { ReplicaRecord } from '../plan/record.ts'
import { Assembly } from './assembly.ts'
import type { Builder } from './builder.ts'
import { driftOf } from './drift.ts'
import { isReplicaReady, type ReplicaFacts } from './facts.ts'
import { Handling } from './handling.ts'
import { Mending } from './mending.ts'
import { endOrphans, stillRuns } from './orphans.ts'
import { isPassing, refusalOf } from './refusal.ts'
import { Renewals } from './renewals.ts'
import { ReplicaState } from './replica-state.ts'
import { Runner } from './runner.ts'
import type { ContainerSeen } from './seen.ts'
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
  /** Another number whenever the daemon was out of reach. */
  readonly connection: () => number
  /** What the daemon said was not understood, and nobody waits who could be told. */
  readonly doubt: (error: unknown) => void
  /** Looks at a container, and tells whoever it belongs to. */
  readonly inspect: (container: string, call: Call) => Promise<void>
  readonly exec: (container: string, request: ExecRequest, call: Call) => Promise<ExecSession>
  /** The last line of a container's output, as it may be quoted. */
  readonly lastLine: (container: ContainerSeen, desired: Desired | undefined) => Promise<string | undefined>
  readonly changed: (record: ReplicaRecord) => void
  /** It has come nearer to what is waited for, which can be told together with the next change. */
  readonly nearer: (record: ReplicaRecord) => void
}

export class LiveReplica {
  readonly #parts: ReplicaParts
  readonly record: ReplicaRecord
  readonly #state: ReplicaState
  readonly #handling: Handling
  readonly #renewals: Renewals
  readonly #runner: Runner
  readonly #assembly: Assembly
  readonly #mending: Mending
  readonly #stopping: Stopping
  #desired: Desired | undefined
  readonly #steps = new InTurn()

  constructor(record: ReplicaRecord, parts: ReplicaParts) {
    const { api, builder, clock, life, enforces, installation, doubt } = parts
    const changed = (): void => parts.changed(record)
    this.#parts = parts
    this.record = record
    const network = networkName(installation, record.ref.tenant)
    this.#state = new ReplicaState(record, network, (service) => this.#memoryOf(service), changed)
    this.#handling = new Handling(parts.inspect)
    const { connection } = parts
    this.#renewals = new Renewals({ api, handling: this.#handling, network, connection, endOrphans })
    const common = { api, state: this.#state, handling: this.#handling, renewals: this.#renewals }
    // Its network is gone, and with it what the container was to join: another one is needed, in another network.
    const missing = (): void => {
      builder.forgetNetwork(record.ref)
      this.#mending.beyond = true
    }
    this.#runner = new Runner({ ...common, clock, again: () => this.kick(), missing })
    this.#assembly = new Assembly({ ...common, builder, runner: this.#runner, changed, connection })
    this.#mending = new Mending({ ...common, enforces, stillRuns })
    this.#stopping = new Stopping({ api, clock, life, doubt, ended: (container) => this.#ended(container) })
  }

  get services(): ReadonlyMap<string, ServiceMemory> {
    return this.#state.services
  }

  get containers(): ContainerSeen[] {
    return this.#state.containers
  }

  get holder(): ContainerSeen | undefined {
    return this.#state.holder
  }

  get terminating(): boolean {
    return this.#stopping.begun
  }

  /** None of its containers is there any more, though some were. */
  get vanished(): boolean {
    return this.#state.vanished
  }

  /** Somebody has changed of it what cannot be put back. */
  get edited(): boolean {
    return this.#mending.beyond
  }

  get facts(): ReplicaFacts {
    return this.#state.factsWhile(this.terminating)
  }

  get drift(): string[] {
    if (!this.#desired || this.terminating) return []
    return driftOf(this.#desired, (name) => this.services.get(name)?.container, this.#parts.enforces)
  }

  /** Something is being done to a container, after which it is looked at anyway. */
  isBusy(container: string): boolean {
    return this.#handling.isBusy(container)
  }

  see(container: ContainerSeen, fresh: boolean): void {
    this.#state.see(container, fresh)
  }

  gone(container: string): void {
    this.#state.gone(container)
  }

  hear(event: DockerEvent): void {
    this.#state.hear(event)
  }

  /** Knows from now on what it is made of, mends what is missing, and starts what may start. */
  async tend(desired: Desired, call: Call): Promise<void> {
    this.#desired = desired
    for (const service of this.services.values()) service.restart = desired.restart
    await this.#steps.run(async () => {
      if (!this.terminating) await this.#advance(desired, true, call)
    })
  }

  /** Something has changed: goes on by itself, between passes. What it cannot do is said on the service it is about. */
  kick(): void {
    const { life } = this.#parts
    if (life.signal.aborted) return
    this.#steps
      .run(async () => {
        if (this.terminating) this.#stopping.step(this.services.values())
        else if (this.#desired) await this.#advance(this.#desired, false, life)
      })
      .catch((error: unknown) => {
        // Out of reach is seen by whoever watches, and what was to be done is done when it is back.
        if (life.signal.aborted || isPassing(error)) return
        const [first] = this.services.values()
        first?.trouble(refusalOf(error))
      })
  }

  imagesChanged(states: Readonly<Record<string, ImageState>>): void {
    this.#assembly.note(states)
    this.kick()
  }

  /** True: nothing of it runs any more. */
  async stop(graceMs: number): Promise<boolean> {
    const begun = this.terminating
    this.#stopping.begin(graceMs)
    if (!begun) {
      this.#runner.close()
      this.#parts.changed(this.record)
    }
    return await this.#steps.run(async () => this.#stopping.step(this.services.values()))
  }

  /** Everything of it that is there, by id; the holder last, since others hang on it. */
  async remove(call: Call): Promise<void> {
    this.#stopping.begin(0)
    await this.#steps.run(async () => {
      const { api, builder } = this.#parts
      const holder = this.holder?.id
      const remove = (id: string): Promise<void> => api.containers.remove(id, { force: true, volumes: true }, call)
      // What never ran, as far as the daemon knows: it may have died in the middle of the start.
      const unstarted = this.containers.filter(({ startedAt }) => startedAt === undefined)
      await Promise.all(unstarted.map(({ id }) => endOrphans(id)))
      await Promise.all(this.containers.map(({ id }) => (id === holder ? undefined : remove(id))))
      if (holder !== undefined) await remove(holder)
      await builder.clear(this.record, call)
    })
    this.close()
  }

  /** Lets go of timers and probes; what runs goes on. */
  close(): void {
    this.#runner.close()
    for (const service of this.services.values()) service.stop()
  }

  async #advance(desired: Desired, mending: boolean, call: Call): Promise<void> {
    if (mending) await this.#mending.mend(desired, call)
    if (this.vanished) return
    let mayMake = mending
    let renewed: number
    do {
      renewed = this.#renewals.count
      if (await this.#assembly.complete(desired, mayMake, call)) await this.#runner.advance(desired, mending, call)
      // What had to be taken away on the way is made anew at once, and not only when somebody asks again.
      mayMake = true
    } while (this.#renewals.count !== renewed && !this.vanished)
  }

  #ended(container: string): void {
    const { life, doubt } = this.#parts
    this.#handling.look(container, life).then(() => this.kick(), doubt)
  }

  #restartUnhealthy(service: ServiceMemory): void {
    const { api, clock, life } = this.#parts
    const id = service.container?.id
    if (this.terminating || service.exhausted || id === undefined || !this.#desired) return
    const { stopGraceSeconds } = this.#desired
    service.restarts.add(clock.now())
    service.asking = true
    this.#steps
      .run(() => this.#handling.changed(id, api.containers.restart(id, stopGraceSeconds, life), life))
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
      address: () => this.#state.address,
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
}
