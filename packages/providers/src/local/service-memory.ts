/** One service of one replica while this engine runs: its process, its health, and why it ended last. */
import { type Call, isFault } from '@gantry/core'
import { linesOf } from '../log-text.ts'
import { type Address, Checkup, type CheckupParts } from '../tended/checkup.ts'
import { CrashStreak } from '../tended/crash-streak.ts'
import type { ServiceFacts, Trouble } from './facts.ts'
import type { Link } from './link.ts'
import { isFree } from './ports.ts'
import type { ServiceRecord } from './records.ts'
import type { ProcessSeen } from './supervisor/process-seen.ts'

export type MemoryParts = Omit<CheckupParts, 'dial'> & {
  readonly id: string
  readonly record: ServiceRecord
  readonly link: Link
  /** How a line of its output may be quoted; `undefined`: not at all. */
  readonly quote: (line: string) => string | undefined
}

export class ServiceMemory {
  readonly #parts: MemoryParts
  readonly #checkup: Checkup
  readonly #streak: CrashStreak
  #process: ProcessSeen | undefined
  #heardAt = Number.NEGATIVE_INFINITY
  #trouble: Trouble | undefined
  #lastLine: string | undefined
  #over = false
  unhealthyRestarts = 0

  constructor(parts: MemoryParts) {
    const { clock, random, changed, ready, unhealthy } = parts
    this.#parts = parts
    this.#streak = new CrashStreak(clock, changed)
    this.#checkup = new Checkup({
      clock,
      random,
      dial: (port) => this.#dial(port),
      changed,
      ready: () => {
        this.trouble(undefined)
        ready()
      },
      unhealthy,
    })
  }

  get record(): ServiceRecord {
    return this.#parts.record
  }

  get id(): string {
    return this.#parts.id
  }

  get process(): ProcessSeen | undefined {
    return this.#process
  }

  get facts(): ServiceFacts {
    return {
      record: this.record,
      process: this.#process,
      health: this.#checkup.health(this.#process?.run),
      trouble: this.#trouble,
      lastLine: this.#lastLine,
      crashingSince: this.#streak.since,
      unhealthyRestarts: this.unhealthyRestarts,
    }
  }

  /**
   * `fresh`: the run began before our eyes, so nothing that it was before can be missed. `asked`: when this was asked for,
   * by the monotonic clock. Answers and events come on different ways: what was heard meanwhile may be newer, and if it is
   * older, the next event is on its way.
   */
  see(process: ProcessSeen | undefined, fresh: boolean, asked = Number.POSITIVE_INFINITY): void {
    if (this.#heardAt > asked) return
    this.#heardAt = this.#parts.clock.monotonic()
    const before = this.#process
    this.#process = process
    if (process?.phase === 'running') this.#check(process, fresh)
    else this.#checkup.end()
    const end = process?.lastExit
    if (end && !end.asked && end.at.getTime() !== before?.lastExit?.at.getTime()) void this.#ended(process)
    // Whoever is told looks again: to be told of nothing would never end.
    if (JSON.stringify(before) !== JSON.stringify(process)) this.#parts.changed()
  }

  /** What stands in the way, or nothing any more. The time of the first word about it stays. */
  trouble(message: string | undefined, ofReplica = false): void {
    if (this.#trouble?.message === message) return
    const at = new Date(this.#parts.clock.now())
    this.#trouble = message === undefined ? undefined : { message, at, ofReplica }
    this.#parts.changed()
  }

  stop(): void {
    this.#over = true
    this.#streak.stop()
    this.#checkup.end()
  }

  async #ended(process: ProcessSeen): Promise<void> {
    this.#count(process)
    const { link } = this.#parts
    try {
      this.#lastLine = await this.#readLastLine(link.call)
      await this.#checkPorts()
    } catch (error) {
      // Out of reach: what it said last is told after its next end.
      if (!link.call.signal.aborted && !isFault(error)) this.trouble(`its last words cannot be read: ${error}`)
    }
    if (!this.#over) this.#parts.changed()
  }

  #count({ restarts, lastExit }: ProcessSeen): void {
    if (!lastExit) return
    this.#streak.ended({ startedAt: lastExit.startedAt.getTime(), at: lastExit.at.getTime(), restarts })
  }

  async #readLastLine(call: Call): Promise<string | undefined> {
    let last: string | undefined
    for await (const entry of this.#parts.link.supervisor.output(this.id, { tail: 1, follow: false }, call)) {
      if (entry.type === 'lines') last = linesOf(entry.text).at(-1)
    }
    return last === undefined ? undefined : this.#parts.quote(last)
  }

  /** A port that somebody else has is why it could not stay, and another replica gets others. */
  async #checkPorts(): Promise<void> {
    for (const { name, number, bind } of this.record.ports) {
      if (this.#process?.phase === 'running') return
      if (await isFree(number, bind)) continue
      this.trouble(`port ${number} (${name}) is held by another program`, bind === undefined)
      return
    }
    this.trouble(undefined)
  }

  #check({ run, startedAt }: ProcessSeen, fresh: boolean): void {
    const { link, clock } = this.#parts
    const { healthCheck } = this.record
    if (!healthCheck) return
    this.#checkup.begin(healthCheck, {
      run,
      startedAt: startedAt?.getTime() ?? clock.now(),
      fresh,
      exec: (request, call) => link.supervisor.exec(this.id, request, call),
    })
  }

  #dial(name: string): Address {
    const port = this.record.ports.find((each) => each.name === name)
    const host = port?.bind === undefined || port.bind === '0.0.0.0' || port.bind === '::' ? '127.0.0.1' : port.bind
    return { host, port: port?.number ?? 0 }
  }
}
