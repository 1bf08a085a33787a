/** One replica while this engine runs: its record, its services, and the steps that bring it up and down. */
import { type Call, type Clock, Fault, isFault } from '@gantry/core'
import type { Desired, DesiredService } from '../desired.ts'
import { quotable } from '../masked.ts'
import { type Progress, startable, stopRank } from '../start-order.ts'
import { InTurn } from '../tended/in-turn.ts'
import { isReplicaReady, progressOf, type ReplicaFacts } from './facts.ts'
import { prepareReplica, prepareSecrets, secretsForgotten } from './files.ts'
import type { Link } from './link.ts'
import { type Places, processId } from './places.ts'
import { processSpec } from './plan.ts'
import { canListen } from './ports.ts'
import type { ReplicaRecord } from './records.ts'
import { ServiceMemory } from './service-memory.ts'
import type { ProcessSeen } from './supervisor/process-seen.ts'

export type ReplicaParts = {
  readonly places: Places
  readonly link: Link
  readonly clock: Clock
  readonly random: () => number
  readonly save: (record: ReplicaRecord) => Promise<void>
  readonly changed: (record: ReplicaRecord) => void
  /** It has come nearer to what is waited for, which can be told together with the next change. */
  readonly nearer: (record: ReplicaRecord) => void
  /** Which of our own other replicas has a port. */
  readonly holderOf: (port: number) => string | undefined
}

/** A port of the machine that somebody else holds is looked at again this often. */
const portAgainMs = 500
const hourMs = 3_600_000

export class LiveReplica {
  readonly #parts: ReplicaParts
  readonly services: ReadonlyMap<string, ServiceMemory>
  #record: ReplicaRecord
  #desired: Desired | undefined
  readonly #steps = new InTurn()
  /** By the monotonic clock: when what does not end by itself is made to. */
  #stopBy: number | undefined
  readonly #unhealthy: number[] = []
  /** Services that we have started: somebody else may hear of it before we are answered. */
  readonly #begun = new Set<string>()
  #prepared = false
  #cancelRetry: () => void = () => undefined
  /** Whether processes of it were ever seen: if then none is left, somebody has taken them away. */
  seen = false

  constructor(record: ReplicaRecord, parts: ReplicaParts) {
    this.#parts = parts
    this.#record = record
    this.services = new Map(record.services.map((service) => [service.name, this.#memoryOf(service)]))
  }

  get record(): ReplicaRecord {
    return this.#record
  }

  get facts(): ReplicaFacts {
    return { record: this.#record, services: [...this.services.values()].map(({ facts }) => facts) }
  }

  /** None of its processes is there any more, though we did not take them away. */
  get vanished(): boolean {
    return this.seen && !this.#record.terminating && [...this.services.values()].every(({ process }) => !process)
  }

  /** See `ServiceMemory`. */
  see(service: string, process: ProcessSeen | undefined, fresh: boolean, asked?: number): void {
    if (process) this.seen = true
    this.services.get(service)?.see(process, fresh || this.#begun.has(service), asked)
  }

  /** Knows from now on what it is made of, mends what is missing, and starts what may start. */
  async tend(desired: Desired, call: Call): Promise<void> {
    this.#desired = desired
    await this.#steps.run(async () => {
      if (this.#record.terminating) return
      const { places } = this.#parts
      const processes = [...this.services.values()].flatMap(({ process }) => (process ? [process] : []))
      if (processes.length === 0 && !this.#prepared) await prepareReplica(places, this.#record, desired)
      else if (await secretsForgotten(places, this.#record.engineId, desired)) {
        await prepareSecrets(places, this.#record, desired)
      }
      this.#prepared = true
      for (const service of desired.services) await this.#giveSecrets(service, desired, call)
      await this.#advance(call)
    })
  }

  /** What was only in memory is told again where it was forgotten. */
  async #giveSecrets(service: DesiredService, desired: Desired, call: Call): Promise<void> {
    const memory = this.services.get(service.name)
    if (memory?.process?.problem?.reason !== 'secrets_missing') return
    const { places, link } = this.#parts
    try {
      const spec = processSpec(places, this.#record, desired, service)
      const asked = this.#parts.clock.monotonic()
      this.see(service.name, await link.supervisor.ensure(spec, call), true, asked)
    } catch (error) {
      if (!isFault(error) || error.reason !== 'already_exists') throw error
      // Another version of us had made it a little differently.
      memory.trouble('has lost its secrets, and is not as it would be made today', true)
    }
  }

  /** Something has changed: goes on by itself, between passes. What it cannot do is said on the service it is about. */
  kick(): void {
    const { call } = this.#parts.link
    if (call.signal.aborted) return
    this.#steps
      .run(() => this.#advance(call))
      .catch((error: unknown) => {
        // Out of reach is seen by whoever watches, and what was to be done is done when it is back.
        if (call.signal.aborted || isFault(error, 'unavailable')) return
        const [first] = this.services.values()
        first?.trouble(isFault(error) ? error.message : String(error))
      })
  }

  /** True: nothing of it runs any more. */
  async stop(graceMs: number, call: Call): Promise<boolean> {
    const { clock, save } = this.#parts
    this.#stopBy = Math.min(this.#stopBy ?? Number.POSITIVE_INFINITY, clock.monotonic() + graceMs)
    return await this.#steps.run(async () => {
      if (!this.#record.terminating) {
        await save({ ...this.#record, terminating: true })
        this.#record = { ...this.#record, terminating: true }
        this.#cancelRetry()
      }
      return await this.#stopStep(call)
    })
  }

  /** Lets go of timers and probes; what runs goes on. */
  close(): void {
    this.#cancelRetry()
    for (const service of this.services.values()) service.stop()
  }

  async #advance(call: Call): Promise<void> {
    if (this.#record.terminating) {
      if (this.#stopBy !== undefined) await this.#stopStep(call)
      return
    }
    await this.#startStopped(call)
    const desired = this.#desired
    if (!desired) return
    for (;;) {
      const next = await this.#startableNow(desired)
      if (next.length === 0) return
      await this.#start(next, desired, call)
    }
  }

  /** In the order to start them in: also those that only wait for others of them to be started. */
  async #startableNow({ services }: Desired): Promise<ServiceMemory[]> {
    const wanted = new Set(services.map(({ name }) => name))
    const next = new Map<string, ServiceMemory>()
    const barred = new Set<string>()
    const progress = (name: string): Progress => {
      const service = this.services.get(name)
      return next.has(name) ? 'started' : service && !barred.has(name) ? progressOf(service.facts) : 'failed'
    }
    for (let before = -1; before < next.size; ) {
      before = next.size
      for (const name of startable(this.#record.services, progress)) {
        const service = this.services.get(name)
        if (!service || service.process || !wanted.has(name) || !(await this.#portsFree(service))) barred.add(name)
        else next.set(name, service)
      }
    }
    return [...next.values()]
  }

  /** What was stopped to be started anew, or by somebody else. */
  async #startStopped(call: Call): Promise<void> {
    for (const [name, { process, id, record }] of this.services) {
      if (process?.phase !== 'stopped') continue
      // The machine may have been off: what it must not run without comes with the next pass.
      if (record.secret && !this.#desired) continue
      this.#begun.add(name)
      const asked = this.#parts.clock.monotonic()
      this.see(name, await this.#parts.link.supervisor.start(id, call), true, asked)
    }
  }

  /** In one request: the way there and back, once for each, would take longer than starting them. */
  async #start(services: readonly ServiceMemory[], desired: Desired, call: Call): Promise<void> {
    const { places, link, clock } = this.#parts
    const specs = services.flatMap(({ record: { name } }) => {
      const wanted = desired.services.find((each) => each.name === name)
      return wanted ? [processSpec(places, this.#record, desired, wanted)] : []
    })
    for (const { record } of services) this.#begun.add(record.name)
    const asked = clock.monotonic()
    const seen = await link.supervisor.ensureInOrder(specs, call)
    for (const [at, process] of seen.entries()) {
      const service = services[at]
      if (service) this.see(service.record.name, process, true, asked)
    }
  }

  async #portsFree(service: ServiceMemory): Promise<boolean> {
    for (const { number, bind } of service.record.ports) {
      if (bind === undefined || (await canListen(number, bind))) continue
      const holder = this.#parts.holderOf(number) ?? 'another program'
      service.trouble(`port ${number} of this machine is held by ${holder}; stop it, or choose another hostPort`)
      this.#cancelRetry()
      this.#cancelRetry = this.#parts.clock.after(portAgainMs, () => this.kick())
      return false
    }
    service.trouble(undefined)
    return true
  }

  /** Main first, so that what it relies on is there to the end. */
  async #stopStep(call: Call): Promise<boolean> {
    const { link, clock } = this.#parts
    const order = [...this.services].sort(([, left], [, right]) => rankOf(left) - rankOf(right))
    let waitingAt: number | undefined
    for (const [name, service] of order) {
      if (waitingAt !== undefined && rankOf(service) > waitingAt) return false
      if (!lives(service)) continue
      const asked = clock.monotonic()
      const graceMs = Math.max(0, (this.#stopBy ?? 0) - asked)
      const seen = await stopped(link.supervisor.stop(service.id, { graceMs }, call))
      this.see(name, seen, false, asked)
      if (lives(service)) waitingAt = rankOf(service)
    }
    return waitingAt === undefined
  }

  #restartUnhealthy(service: ServiceMemory): void {
    const { clock, link } = this.#parts
    const now = clock.now()
    const recent = this.#unhealthy.filter((at) => at > now - hourMs)
    if (this.#record.terminating || recent.length >= this.#record.restart.maxPerHour) return
    this.#unhealthy.splice(0, this.#unhealthy.length, ...recent, now)
    service.unhealthyRestarts += 1
    const { call } = link
    // Its end is seen, and then it is started anew; also if we die between the two.
    link.supervisor.stop(service.id, {}, call).catch((error: unknown) => {
      if (!call.signal.aborted && !isFault(error)) service.trouble(String(error))
    })
  }

  #memoryOf(record: ReplicaRecord['services'][number]): ServiceMemory {
    const { link, clock, random, changed, nearer } = this.#parts
    const memory: ServiceMemory = new ServiceMemory({
      id: processId(this.#record.engineId, record.name),
      record,
      link,
      clock,
      random,
      quote: (line) => {
        if (this.#desired) return quotable(line, this.#desired)
        return record.secret ? undefined : line
      },
      changed: () => {
        changed(this.#record)
        this.kick()
      },
      ready: () => {
        if (isReplicaReady(this.facts)) changed(this.#record)
        else nearer(this.#record)
        this.kick()
      },
      unhealthy: () => this.#restartUnhealthy(memory),
    })
    return memory
  }
}

const rankOf = ({ record }: ServiceMemory): number => stopRank[record.role]

const lives = ({ process }: ServiceMemory): boolean =>
  process !== undefined && (process.phase === 'running' || process.phase === 'waiting' || process.phase === 'stopping')

/** What is not there does not have to be stopped. */
async function stopped(work: Promise<ProcessSeen>): Promise<ProcessSeen | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault && error.reason === 'instance_not_found') return undefined
    throw error
  }
}
