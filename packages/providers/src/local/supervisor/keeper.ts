/** Looks after one process: does one move after the other, until there is nothing to do, and is woken by what happens. */
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { constants } from 'node:os'
import { type Clock, sleep } from '@gantry/core/base'
import { isAlive, type ProcessIdentity, rawStat, sendSignal } from '../../proc/processes.ts'
import type { Journal } from './journal.ts'
import { nextMove } from './next-move.ts'
import { type OutputSite, ProcessOutput } from './output/process-output.ts'
import { inodeOf } from './output/pump.ts'
import type { LimitName } from './process-spec.ts'
import type { JournalRecord, ProcessState, TrackingKind } from './process-state.ts'
import { restartVerdict } from './restart-verdict.ts'
import type { SecretShelf } from './secret-shelf.ts'
import { environmentOf, problemOf, spawnProcess } from './spawn-process.ts'
import type { Limiter } from './tracking/limiter.ts'
import type { Tracking } from './tracking/tracking.ts'

export type KeeperTools = {
  readonly journal: Journal
  readonly clock: Clock
  readonly secrets: SecretShelf
  readonly tracking: Tracking
  readonly trackingOf: (kind: TrackingKind) => Tracking
  readonly limiter: Limiter
  readonly output: OutputSite
  /** Tells watchers of what the journal now says. */
  readonly changed: (id: string) => void
  readonly log: (message: string) => void
}

const usualKeepBytes = 64 << 20
const adoptedLookMs = 200
const endLookMs = 20
const outputPatienceMs = 2000

export class Keeper {
  readonly #id: string
  readonly #tools: KeeperTools
  readonly #stop = new AbortController()
  readonly output: ProcessOutput
  #driving: Promise<void> | undefined
  #again = false
  #cancelWait: (() => void) | undefined
  #ending: { deadline: number; askedMain: boolean; askedRest: boolean; known: readonly ProcessIdentity[] } | undefined

  constructor(id: string, tools: KeeperTools) {
    this.#id = id
    this.#tools = tools
    this.output = new ProcessOutput(id, this.state.spec.keepOutputBytes ?? usualKeepBytes, tools.output)
  }

  get state(): ProcessState {
    const state = this.#tools.journal.states.get(this.#id)
    if (!state) throw new TypeError(`process ${this.#id} is kept, so it is known`)
    return state
  }

  /** Does what there is to do. Resolves when there is nothing, or only to wait. */
  drive(): Promise<void> {
    this.#again = true
    this.#driving ??= this.#loop()
      .catch((error: unknown) => this.#tryLater(error))
      .finally(() => {
        this.#driving = undefined
      })
    return this.#driving
  }

  /** From now on it has at most this long to end. */
  shorten(graceMs: number): void {
    const deadline = this.#tools.clock.monotonic() + graceMs
    if (this.#ending) this.#ending.deadline = Math.min(this.#ending.deadline, deadline)
    else this.#ending = { deadline, askedMain: false, askedRest: false, known: [] }
  }

  /** Looks after a main process that is not our child: its end is seen, its exit code is not. */
  watchAdopted(main: ProcessIdentity): void {
    const look = (): void => {
      if (this.#stop.signal.aborted || this.state.main?.pid !== main.pid) return
      if (isAlive(main)) {
        this.#tools.clock.after(adoptedLookMs, look)
        return
      }
      this.ended('unknown', undefined)
    }
    look()
  }

  /** Its main process is no more. What cannot be written now (the disk is full) is written later, and nothing is told before. */
  ended(code: number | 'unknown', signal: NodeJS.Signals | undefined): void {
    try {
      this.#writeEnd(code, signal)
    } catch (error) {
      this.#tools.log(`The end of ${this.#id} is not written yet: ${String(error)}`)
      this.#tools.clock.after(1000, () => this.ended(code, signal))
      return
    }
    void this.drive()
  }

  #writeEnd(code: number | 'unknown', signal: NodeJS.Signals | undefined): void {
    const { state } = this
    const at = this.#tools.clock.now()
    const startedAt = state.startedAt ?? at
    const asked = state.ending
    const exit = { code, ...(signal && { signal }), startedAt, at, asked }
    const verdict = asked
      ? undefined
      : restartVerdict({ code, lastedMs: at - startedAt, now: at }, state.spec.restart, state.history)
    this.#write({ type: 'exit', id: this.#id, exit, ...(verdict && { verdict }) })
    if (verdict?.outcome === 'failed' && verdict.tooMany) {
      const { maxPerHour } = state.spec.restart
      const message = `It ended more than ${maxPerHour} times within an hour: see its output, then start it again`
      this.#write({ type: 'problem', id: this.#id, problem: { reason: 'too_many_restarts', message, since: at } })
    }
  }

  /** Lets go of it, and of nothing that runs. */
  close(): void {
    this.#stop.abort()
    this.#cancelWait?.()
    this.output.close()
  }

  async #loop(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false
      this.#cancelWait?.()
      const { clock, secrets } = this.#tools
      const hasSecrets = this.state.spec.secretNames.length === 0 || secrets.get(this.#id) !== undefined
      const next = nextMove(this.state, clock.now(), hasSecrets)
      if (next.move === 'wait') this.#cancelWait = clock.after(next.until - clock.now(), () => void this.drive())
      if (next.move === 'launch') await this.#launch(next.again, hasSecrets)
      if (next.move === 'end') await this.#end()
      if (next.move === 'launch' || next.move === 'end') this.#again = true
    }
  }

  /** Nothing of this may end the supervisor, nor leave the process to itself. */
  #tryLater(error: unknown): void {
    if (this.#stop.signal.aborted) return
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#tools.log(`Looking after ${this.#id} went wrong, and is tried again: ${what}`)
    this.#cancelWait = this.#tools.clock.after(1000, () => void this.drive())
  }

  #write(record: JournalRecord): void {
    this.#tools.journal.write(record)
    this.#tools.changed(this.#id)
  }

  async #launch(again: boolean, hasSecrets: boolean): Promise<void> {
    const { clock, tracking, secrets } = this.#tools
    const { spec, run: last } = this.state
    if (!hasSecrets) {
      const message = 'Its secrets were lost with the memory they were kept in, and must be given again'
      this.#write({
        type: 'problem',
        id: this.#id,
        problem: { reason: 'secrets_missing', message, since: clock.now() },
      })
      return
    }
    const run = last + 1
    const name = `${this.#id}.${run}`
    const marker = `${name}.${randomBytes(8).toString('hex')}`
    const group = tracking.open(name, marker)
    const pipes = await this.#pipes(run, marker)
    if (!pipes) return
    await tracking.settled()
    try {
      // Asked to stop while the pipes were made.
      if (this.state.wanted === 'stopped') return this.output.detach()
      const env = environmentOf(spec, secrets.get(this.#id), marker)
      const [stdout, stderr] = pipes
      const [out = 0, err = 0] = pipes.map(inodeOf)
      const piped = { ...group, pipes: { stdout: out, stderr: err } }
      this.#write({ type: 'intent', id: this.#id, run, again, group: piped, at: clock.now() })
      const child = tracking.enter(group, () => spawnProcess(spec, env, { stdout, stderr }))
      const stat = child.pid === undefined ? undefined : rawStat(child.pid)
      if (!stat) {
        const error = await new Promise((resolve) => child.once('error', resolve))
        this.#notStarted(error)
        return
      }
      this.#write({ type: 'started', id: this.#id, main: { pid: stat.pid, started: stat.started }, at: clock.now() })
      this.output.written({ main: stat, marker, pipes: piped.pipes })
      child.once('exit', (code, signal) => this.ended(code ?? 128 + numberOf(signal), signal ?? undefined))
      this.#limit(name)
    } finally {
      for (const pipe of pipes) closeSync(pipe)
    }
  }

  async #pipes(run: number, marker: string): Promise<number[] | undefined> {
    try {
      return await this.output.begin(run, marker, this.state.spec.user)
    } catch (error) {
      this.#notStarted(error)
      return undefined
    }
  }

  #notStarted(error: unknown): void {
    this.output.detach()
    const { state } = this
    const now = this.#tools.clock.now()
    const problem = problemOf(error, state.spec, state.problem?.since ?? now)
    const verdict = restartVerdict({ lastedMs: 0, now }, state.spec.restart, state.history)
    this.#write({ type: 'problem', id: this.#id, problem, verdict })
  }

  #limit(name: string): void {
    const { limiter, log } = this.#tools
    const { spec, group } = this.state
    const limits = spec.limits ?? {}
    const asked = (Object.keys(limits) as LimitName[]).filter((each) => limits[each] !== undefined)
    if (!group || asked.length === 0) return
    const notEnforced = asked.filter((each) => !limiter.enforces.includes(each))
    try {
      const limited = limiter.apply(group, name, limits)
      this.#write({ type: 'limited', id: this.#id, group: limited, notEnforced })
    } catch (error) {
      log(`Limits of ${this.#id} are not in force: ${String(error)}`)
      this.#write({ type: 'limited', id: this.#id, group, notEnforced: asked })
    }
  }

  /** Until nothing of its tree lives: asks, waits, kills, and looks. */
  async #end(): Promise<void> {
    const { clock, trackingOf } = this.#tools
    const { signal } = this.#stop
    const { group, spec } = this.state
    if (!group) return
    const tracking = trackingOf(group.kind)
    if (!this.#ending) this.shorten(spec.stopGraceMs)
    for (const ending = this.#ending; ending; ) {
      const { main } = this.state
      const late = clock.monotonic() >= ending.deadline
      if (main && !ending.askedMain) {
        sendSignal(main, spec.stopSignal ?? 'SIGTERM')
        ending.askedMain = true
      }
      if (!main || late) {
        ending.known = tracking.members(group, [...ending.known, ...(main ? [main] : [])])
        if (!main && ending.known.length === 0) break
        if (late) tracking.kill(group, ending.known)
        else if (!ending.askedRest) {
          for (const each of ending.known) sendSignal(each, spec.stopSignal ?? 'SIGTERM')
          ending.askedRest = true
        }
      }
      await sleep(clock, endLookMs, { signal })
    }
    await this.output.end(outputPatienceMs)
    tracking.close(group)
    this.#ending = undefined
    this.#write({ type: 'gone', id: this.#id })
  }
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal]
}
