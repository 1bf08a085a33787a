/** One service of one replica while this engine runs: its process, its health, and why it ended last. */
import { type Call, type Clock, isFault } from '@gantry/core'
import { linesOf } from '../log-text.ts'
import { commandLook } from '../probes/command.ts'
import { httpLook } from '../probes/http.ts'
import { type Look, unwell } from '../probes/look.ts'
import { Prober } from '../probes/prober.ts'
import { tcpLook } from '../probes/tcp.ts'
import type { HealthSeen, ServiceFacts, Trouble } from './facts.ts'
import type { Link } from './link.ts'
import { isFree } from './ports.ts'
import type { ServiceRecord } from './records.ts'
import type { ProcessSeen } from './supervisor/process-seen.ts'

export type MemoryParts = {
  readonly id: string
  readonly record: ServiceRecord
  readonly link: Link
  readonly clock: Clock
  readonly random: () => number
  /** How a line of its output may be quoted; `undefined`: not at all. */
  readonly quote: (line: string) => string | undefined
  /** What is shown of it has changed. */
  readonly changed: () => void
  /** It has become ready, which is shown too. */
  readonly ready: () => void
  /** Its health check says that it shall be started anew. */
  readonly unhealthy: () => void
}

/** So many ends in a row, none of them after a stable run, are no accident. */
const crashes = 3
const stableMs = 60_000

export class ServiceMemory {
  readonly #parts: MemoryParts
  #process: ProcessSeen | undefined
  #heardAt = Number.NEGATIVE_INFINITY
  #prober: { readonly run: number; readonly prober: Prober } | undefined
  #trouble: Trouble | undefined
  #lastLine: string | undefined
  #crashingSince: number | undefined
  #calm: () => void = () => undefined
  #over = false
  unhealthyRestarts = 0

  constructor(parts: MemoryParts) {
    this.#parts = parts
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
    const prober = this.#prober?.run === this.#process?.run ? this.#prober?.prober : undefined
    return {
      record: this.record,
      process: this.#process,
      health: prober && healthOf(prober),
      trouble: this.#trouble,
      lastLine: this.#lastLine,
      crashingSince: this.#crashingSince,
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
    if (process?.phase !== 'running') this.#endProber()
    else if (this.record.healthCheck && this.#prober?.run !== process.run) this.#beginProber(process, fresh)
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
    this.#calm()
    this.#endProber()
  }

  async #ended(process: ProcessSeen): Promise<void> {
    this.#countCrash(process)
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

  #countCrash({ restarts, lastExit }: ProcessSeen): void {
    if (!lastExit) return
    const { clock, changed } = this.#parts
    this.#calm()
    const short = lastExit.at.getTime() - lastExit.startedAt.getTime() < stableMs
    const recent = clock.now() - lastExit.at.getTime()
    if (!short || restarts < crashes || recent >= stableMs) {
      this.#crashingSince = undefined
      return
    }
    this.#crashingSince ??= clock.now()
    this.#calm = clock.after(stableMs - recent, () => {
      this.#crashingSince = undefined
      changed()
    })
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

  #beginProber(process: ProcessSeen, fresh: boolean): void {
    const { clock, random, changed, ready, unhealthy } = this.#parts
    const check = this.record.healthCheck
    this.#endProber()
    if (!check) return
    const prober = new Prober({
      check,
      look: this.#lookFor(),
      clock,
      random,
      startedAt: process.startedAt?.getTime() ?? clock.now(),
      adopted: !fresh,
      onChange: () => {
        if (!prober.ready) return changed()
        this.trouble(undefined)
        ready()
      },
      onFailing: () => {
        if (check.onUnhealthy === 'restart') unhealthy()
      },
    })
    this.#prober = { run: process.run, prober }
  }

  #endProber(): void {
    this.#prober?.prober.stop()
    this.#prober = undefined
  }

  #lookFor(): Look {
    const { link, record } = this.#parts
    const check = record.healthCheck
    const target = (name: string) => {
      const port = record.ports.find((each) => each.name === name)
      const host = port?.bind === undefined || port.bind === '0.0.0.0' || port.bind === '::' ? '127.0.0.1' : port.bind
      return { host, port: port?.number ?? 0 }
    }
    if (check?.http) return httpLook({ ...target(check.http.port), path: check.http.path })
    if (check?.tcp) return tcpLook(target(check.tcp.port))
    if (check?.command) {
      return commandLook(check.command, (request, call) => link.supervisor.exec(this.id, request, call))
    }
    return async () => unwell('this check is not known here')
  }
}

const healthOf = ({ ready, readySince, failingSince, everReady, message }: Prober): HealthSeen => ({
  ready,
  readySince,
  failingSince,
  everReady,
  message,
})
