/** One service of one replica while this engine runs: its container, its health, and why it ended last. */
import { type Call, type Clock, isFault, type RestartSpec } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import { commandLook } from '../../probes/command.ts'
import { httpLook } from '../../probes/http.ts'
import { type Look, unwell } from '../../probes/look.ts'
import { Prober } from '../../probes/prober.ts'
import { tcpLook } from '../../probes/tcp.ts'
import type { DockerEvent } from '../api/types/events.ts'
import type { ServiceRecord } from '../plan/record.ts'
import type { Exit, HealthSeen, ServiceFacts, Trouble } from './facts.ts'
import { Restarts } from './restarts.ts'
import { type ContainerSeen, runs } from './seen.ts'

export type MemoryParts = {
  readonly record: ServiceRecord
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  /** Of the replica, as it is now. */
  readonly address: () => string | undefined
  readonly exec: (container: string, request: ExecRequest, call: Call) => Promise<ExecSession>
  /** The last line of its output, as it may be quoted. */
  readonly lastLine: (container: ContainerSeen) => Promise<string | undefined>
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
  readonly restarts = new Restarts()
  #container: ContainerSeen | undefined
  #prober: { readonly run: string; readonly prober: Prober } | undefined
  #trouble: Trouble | undefined
  #lastExit: Exit | undefined
  #lastLine: string | undefined
  #crashingSince: number | undefined
  #childOomAt: number | undefined
  /** Of the run that goes on: whether the daemon was asked to end it, and whether that was us. */
  #end: 'asked' | 'by others' | undefined
  #oomInRun = false
  #calm: () => void = () => undefined
  #over = false
  /** We are about to end it. */
  asking = false
  pulling: string | undefined
  restart: RestartSpec | undefined
  stale = false

  constructor(parts: MemoryParts) {
    this.#parts = parts
  }

  get record(): ServiceRecord {
    return this.#parts.record
  }

  get container(): ContainerSeen | undefined {
    return this.#container
  }

  get exhausted(): boolean {
    const { restart } = this
    if (!restart || restart.policy === 'never' || this.record.role === 'init') return false
    return this.restarts.within(this.#parts.clock.now()) >= restart.maxPerHour
  }

  get facts(): ServiceFacts {
    const { record, pulling, restart, stale, exhausted } = this
    const prober = this.#prober?.run === this.#container?.run ? this.#prober?.prober : undefined
    return {
      record,
      container: this.#container,
      stale,
      health: prober && healthOf(prober),
      trouble: this.#trouble,
      pulling,
      lastExit: this.#lastExit,
      lastLine: this.#lastLine,
      crashingSince: this.#crashingSince,
      childOomAt: this.#childOomAt,
      restarts: this.restarts.total,
      exhausted,
      restart,
    }
  }

  /** `fresh`: the run began before our eyes, so nothing that it was before can be missed. */
  see(container: ContainerSeen | undefined, fresh: boolean): void {
    const before = this.#container
    this.#container = container
    if (container) this.restarts.see(container.id, container.restarts, this.#parts.clock.now())
    if (!runs(container)) this.#endProber()
    else if (this.record.healthCheck && this.#prober?.run !== container?.run) this.#beginProber(fresh)
    if (container?.run !== before?.run) this.#childOomAt = undefined
    if (container) this.#noteEnd(container, before)
    if (JSON.stringify(before) !== JSON.stringify(container)) this.#parts.changed()
  }

  /** What a look comes too late for: who ended it, with which code, and for want of what. */
  hear({ Action, Actor, timeNano }: DockerEvent): void {
    const at = timeNano / 1e6
    if (Action === 'kill') this.#end = this.asking ? 'asked' : 'by others'
    else if (Action === 'oom') {
      this.#oomInRun = true
      this.#childOomAt = at
    } else if (Action === 'start') {
      this.#end = undefined
      this.#oomInRun = false
    } else if (Action === 'die') {
      const code = Number(Actor.Attributes.exitCode ?? Number.NaN)
      this.#ended({
        code: Number.isNaN(code) ? 'unknown' : code,
        at,
        asked: this.#end === 'asked',
        byOthers: this.#end === 'by others',
        oom: this.#oomInRun && code === 137,
      })
    }
  }

  /** What stands in the way, or nothing any more. The time of the first word about it stays. */
  trouble(trouble: Omit<Trouble, 'at'> | undefined): void {
    if (this.#trouble?.message === trouble?.message) return
    this.#trouble = trouble && { ...trouble, at: new Date(this.#parts.clock.now()) }
    this.#parts.changed()
  }

  get hasTrouble(): boolean {
    return this.#trouble !== undefined
  }

  stop(): void {
    this.#over = true
    this.#calm()
    this.#endProber()
  }

  /** An end that no event told of: it was before we came, or while the daemon was out of reach. */
  #noteEnd(container: ContainerSeen, before: ContainerSeen | undefined): void {
    const { finishedAt } = container
    if (finishedAt === undefined || container.error !== '' || container.startedAt === undefined) return
    // Two clocks tell of one end: the event's and the daemon's own.
    if (this.#lastExit && finishedAt <= this.#lastExit.at + 1000) return
    if (before === undefined && runs(container)) return
    const code = runs(container) ? 'unknown' : container.exitCode
    // The daemon would have started it again by itself, had nobody stopped it.
    const byOthers = container.status === 'exited' && container.policy === 'unless-stopped' && !this.asking
    this.#ended({ code, at: finishedAt, asked: this.asking, byOthers, oom: container.oomKilled })
  }

  #ended(exit: Exit): void {
    const startedAt = this.#container?.startedAt ?? exit.at
    this.#lastExit = exit
    if (exit.asked || this.#over) return
    this.#countCrash(exit, startedAt)
    void this.#readLastLine()
  }

  #countCrash(exit: Exit, startedAt: number): void {
    const { clock, changed } = this.#parts
    this.#calm()
    const recent = Math.max(0, clock.now() - exit.at)
    const short = exit.at - startedAt < stableMs
    if (!short || exit.byOthers || this.restarts.total < crashes || recent >= stableMs) {
      this.#crashingSince = undefined
      return
    }
    this.#crashingSince ??= clock.now()
    this.#calm = clock.after(stableMs - recent, () => {
      this.#crashingSince = undefined
      changed()
    })
  }

  async #readLastLine(): Promise<void> {
    const container = this.#container
    if (!container) return
    try {
      this.#lastLine = await this.#parts.lastLine(container)
    } catch (error) {
      // Out of reach, or removed: what it said last is not known, and that is no trouble of its own.
      if (!this.#over && !isFault(error)) {
        this.trouble({ reason: 'unexpected', message: `its last words cannot be read: ${error}` })
      }
    }
    if (!this.#over) this.#parts.changed()
  }

  #beginProber(fresh: boolean): void {
    const { clock, random, changed, ready, unhealthy } = this.#parts
    const check = this.record.healthCheck
    const container = this.#container
    this.#endProber()
    if (!check || !container) return
    const prober = new Prober({
      check,
      look: this.#lookFor(container),
      clock,
      random,
      startedAt: container.startedAt ?? clock.now(),
      adopted: !fresh,
      onChange: () => (prober.ready ? ready() : changed()),
      onFailing: () => {
        if (check.onUnhealthy === 'restart') unhealthy()
      },
    })
    this.#prober = { run: container.run, prober }
  }

  #endProber(): void {
    this.#prober?.prober.stop()
    this.#prober = undefined
  }

  #lookFor(container: ContainerSeen): Look {
    const { exec, address, record } = this.#parts
    const check = record.healthCheck
    const portOf = (name: string): number => record.ports.find((port) => port.name === name)?.port ?? 0
    const at = (look: (host: string) => Look): Look => {
      return async (call) => {
        const host = address()
        return host === undefined ? unwell('it has no address yet') : await look(host)(call)
      }
    }
    const { http, tcp, command } = check ?? {}
    if (http) return at((host) => httpLook({ host, port: portOf(http.port), path: http.path }))
    if (tcp) return at((host) => tcpLook({ host, port: portOf(tcp.port) }))
    if (command) return commandLook(command, (request, call) => exec(container.id, request, call))
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
