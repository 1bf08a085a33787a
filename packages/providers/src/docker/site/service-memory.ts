/** One service of one replica while this engine runs: its container, its health, and why it ended last. */
import { type Call, isFault, type RestartSpec } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import { type Address, Checkup, type CheckupParts } from '../../tended/checkup.ts'
import { CrashStreak } from '../../tended/crash-streak.ts'
import type { DockerEvent } from '../api/types/events.ts'
import type { ServiceRecord } from '../plan/record.ts'
import { warningLabel } from '../plan/warnings.ts'
import type { Made } from './builder.ts'
import type { Exit, ServiceFacts, Trouble } from './facts.ts'
import { Restarts } from './restarts.ts'
import { type ContainerSeen, runs } from './seen.ts'

export type MemoryParts = Omit<CheckupParts, 'dial'> & {
  readonly record: ServiceRecord
  /** Of the replica, as it is now. */
  readonly address: () => string | undefined
  readonly exec: (container: string, request: ExecRequest, call: Call) => Promise<ExecSession>
  /** The last line of its output, as it may be quoted. */
  readonly lastLine: (container: ContainerSeen) => Promise<string | undefined>
}

export class ServiceMemory {
  readonly #parts: MemoryParts
  readonly #checkup: Checkup
  readonly #streak: CrashStreak
  readonly restarts = new Restarts()
  #container: ContainerSeen | undefined
  #trouble: Trouble | undefined
  #lastExit: Exit | undefined
  #lastLine: string | undefined
  #childOomAt: number | undefined
  #made: Made = { id: '', warnings: [] }
  /** Of the run that goes on: whether the daemon was asked to end it, and whether that was us. */
  #end: 'asked' | 'by others' | undefined
  #oomInRun = false
  #over = false
  /** We are about to end it. */
  asking = false
  pulling: string | undefined
  restart: RestartSpec | undefined
  stale = false

  constructor(parts: MemoryParts) {
    const { clock, random, changed, ready, unhealthy } = parts
    this.#parts = parts
    this.#streak = new CrashStreak(clock, changed)
    this.#checkup = new Checkup({ clock, random, dial: (port) => this.#dial(port), changed, ready, unhealthy })
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
    return {
      record,
      container: this.#container,
      stale,
      health: this.#checkup.health(this.#container?.run),
      trouble: this.#trouble,
      pulling,
      lastExit: this.#lastExit,
      lastLine: this.#lastLine,
      crashingSince: this.#streak.since,
      childOomAt: this.#childOomAt,
      warnings: this.#warnings,
      restarts: this.restarts.total,
      exhausted,
      restart,
    }
  }

  /** A container was made for it, and the daemon did so in spite of something. It says so only then. */
  warned(made: Made): void {
    this.#made = made
  }

  get #warnings(): readonly string[] {
    const own = this.#container?.labels[warningLabel]
    const said = this.#made.id === this.#container?.id ? this.#made.warnings : []
    return own === undefined ? said : [own, ...said]
  }

  /** `fresh`: the run began before our eyes, so nothing that it was before can be missed. */
  see(container: ContainerSeen | undefined, fresh: boolean): void {
    const before = this.#container
    this.#container = container
    if (container) this.restarts.see(container.id, container.restarts, this.#parts.clock.now())
    if (container && runs(container)) this.#check(container, fresh)
    else this.#checkup.end()
    if (container?.run !== before?.run) this.#forgetOomBefore(container?.startedAt)
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

  /** Of another run than the one that is seen now. What happens in a run may be heard before that is seen. */
  #forgetOomBefore(startedAt = Number.POSITIVE_INFINITY): void {
    if (this.#childOomAt !== undefined && this.#childOomAt < startedAt) this.#childOomAt = undefined
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
    this.#streak.stop()
    this.#checkup.end()
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
    if (exit.byOthers) this.#streak.over()
    else this.#streak.ended({ startedAt, at: exit.at, restarts: this.restarts.total })
    void this.#readLastLine()
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

  #check({ id, run, startedAt }: ContainerSeen, fresh: boolean): void {
    const { exec, clock } = this.#parts
    const { healthCheck } = this.record
    if (!healthCheck) return
    this.#checkup.begin(healthCheck, {
      run,
      startedAt: startedAt ?? clock.now(),
      fresh,
      exec: (request, call) => exec(id, request, call),
    })
  }

  #dial(name: string): Address | undefined {
    const host = this.#parts.address()
    const port = this.record.ports.find((each) => each.name === name)?.port ?? 0
    return host === undefined ? undefined : { host, port }
  }
}
