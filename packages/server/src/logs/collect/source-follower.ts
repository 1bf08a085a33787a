/**
 * Reads one service of one replica for as long as the replica is there, and puts its lines into the store. Whatever goes
 * wrong, it begins again behind the last line that was kept: the engine may repeat itself, the store does not.
 */
import { asFault, type Call, type Clock, Fault, isFault, sleep } from '@gantry/core'
import type { Engine } from '@gantry/providers'
import type { Log } from '../../app/log.ts'
import type { LogLimits } from '../limits.ts'
import type { LogAppender, LogStore } from '../log-store.ts'
import type { Automaton } from '../mask/automaton.ts'
import type { LogSource } from '../source.ts'
import { Batch } from './batch.ts'

export type FollowDeps = {
  readonly store: LogStore
  readonly clock: Clock
  readonly log: Log
  readonly limits: LogLimits
  /** The engine as it is open now; throws while it is not. */
  readonly engine: () => Engine
  /** What to hide, `undefined` if nothing; throws while that cannot be told, and then nothing is read. */
  readonly automaton: (call: Call) => Promise<Automaton | undefined>
}

const firstDelayMs = 250
/** What cannot be read stays where it is; with a node that is lost there may be hundreds. */
const longestDelayMs = { idle: 10_000, failing: 30_000 } as const
/** A replica that is gone has had its last word, or will not say it any more. */
const lastWordMs = 10_000

/** Without the fault itself, which knows where it came from and what was answered: there are as many as logs that fail. */
export type Failure = Pick<Fault, 'reason' | 'message'>

/** How a turn has ended: nothing more will be read; it was interrupted; there was nothing (more); it could not be read or kept. */
type Turned = 'over' | 'again' | 'nothing' | 'failed'

export class SourceFollower {
  readonly source: LogSource
  readonly #deps: FollowDeps
  /** Of the present turn, and the only one: there are as many followers as processes, and most have nothing to read. */
  #turn = new AbortController()
  #isInterrupted = false
  #isStopped = false
  #isGone = false
  #wantsEnd = false
  #isKept = false
  #failure: Failure | undefined
  /** How often it was tried in vain since something was read. */
  #failures = 0
  #appender: LogAppender | undefined
  readonly #done: Promise<void>

  constructor(source: LogSource, deps: FollowDeps) {
    this.source = source
    this.#deps = deps
    this.#done = this.#run()
  }

  /** Resolves when nothing more will be read. */
  get done(): Promise<void> {
    return this.#done
  }

  /** Why the last try failed; `undefined` while it goes well. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** The replica is no longer there: what can still be read is read, then this ends. */
  gone(): void {
    if (this.#isGone) return
    this.#isGone = true
    const end = (): void => this.#end(new Fault('aborted', 'The replica is gone, and its logs with it'))
    const cancel = this.#deps.clock.after(lastWordMs, end)
    void this.#done.then(cancel)
    this.#readAgain()
  }

  /** Nothing runs in it any more: answers whether everything it ever wrote is kept, safe from a loss of power. */
  readToEnd(): boolean {
    if (this.#isKept) return true
    if (!this.#wantsEnd) {
      this.#wantsEnd = true
      this.#readAgain()
    }
    return false
  }

  /** Stops reading; what was read is written. */
  async stop(): Promise<void> {
    this.#end(new Fault('shutting_down', 'The server is stopping'))
    await this.#done
  }

  #end(reason: Fault): void {
    this.#isStopped = true
    this.#interrupt(reason)
  }

  #readAgain(): void {
    this.#interrupt(new Fault('aborted', 'Read again, to the end'))
  }

  /** Ends the present turn, be it reading or waiting, so that the next one begins with what is known now. */
  #interrupt(reason: Fault): void {
    this.#isInterrupted = true
    this.#turn.abort(reason)
  }

  /** Between two turns nothing is left of the last one: what cannot be read is tried again for as long as it is there. */
  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const turned = await this.#takeTurn()
      if (turned === 'over') break
      if (turned === 'again') continue
      const longestMs = turned === 'failed' ? longestDelayMs.failing : longestDelayMs.idle
      await sleep(this.#deps.clock, delayOf(this.#failures++, longestMs), this.#turn).catch(() => undefined)
    }
    await this.#appender?.close()
  }

  async #takeTurn(): Promise<Turned> {
    this.#turn = new AbortController()
    this.#isInterrupted = false
    try {
      this.#appender ??= await this.#deps.store.open(this.source)
      const before = this.#appender.cursor
      const end = this.#wantsEnd || this.#isGone
      const isAll = await this.#read(this.#appender, !end, this.#turn)
      if (this.#appender.cursor !== before) this.#failures = 0
      this.#failure = undefined
      if (!isAll) return 'again'
      if (end) {
        await this.#appender.sync()
        this.#isKept = true
        this.#wantsEnd = false
      }
      // An engine that has nothing to follow says so at once; it is asked again, but not in a circle.
      return this.#isGone ? 'over' : 'nothing'
    } catch (error) {
      if (this.#isInterrupted) return 'again'
      if (this.#isGone && isFault(error, 'not_found')) return 'over'
      this.#failed(asFault(error), this.#failures)
      // What failed may have ended the turn that it failed in.
      this.#turn = new AbortController()
      return 'failed'
    }
  }

  /** True when the engine had nothing more; false when it was interrupted, with everything read so far written. */
  async #read(appender: LogAppender, follow: boolean, turn: AbortController): Promise<boolean> {
    const { clock, limits } = this.#deps
    const engine = this.#deps.engine()
    if (!engine.logs) return true
    const batch = new Batch(appender, limits, await this.#deps.automaton(turn))
    let cancelFlush: (() => void) | undefined
    let cancelHold: (() => void) | undefined
    const flushSoon = (): void => {
      cancelFlush ??= clock.after(limits.flushMs, () => {
        cancelFlush = undefined
        void write()
      })
    }
    const write = (): Promise<void> => batch.flush().catch((error: unknown) => turn.abort(error))
    let writing = Promise.resolve()
    const holdFor = (): void => {
      cancelHold ??= clock.after(limits.holdMs, () => {
        cancelHold = undefined
        batch.release()
        flushSoon()
      })
    }
    try {
      const { cursor } = appender
      const from = { follow, ...(cursor !== undefined && { cursor }) }
      for await (const log of engine.logs(this.source.engineId, this.source.service, from, turn)) {
        this.#isKept = false
        batch.add(log)
        if (batch.isFull) {
          // One is written while the next is read, and no more than one.
          await writing
          writing = write()
        } else if (cancelFlush === undefined && batch.hasLines) flushSoon()
        if (cancelHold === undefined && batch.isHolding) holdFor()
      }
      batch.release()
      await batch.flush()
      return true
    } catch (error) {
      if (!this.#isInterrupted) {
        // What is still being written counts for where the next turn begins.
        await batch.settled()
        throw error
      }
      // Held lines are left out: they were not kept, so they come again.
      await batch.flush()
      return false
    } finally {
      cancelFlush?.()
      cancelHold?.()
    }
  }

  #failed({ reason, message }: Fault, failures: number): void {
    this.#failure = { reason, message }
    const { ref, service, index } = this.source
    // Once, when it is more than a hiccup.
    if (failures !== 4) return
    const where = { tenant: ref.tenant, workload: ref.workload, service, replica: index }
    this.#deps.log.warn('logs cannot be read or kept', { ...where, reason, message })
  }
}

function delayOf(failures: number, longestMs: number): number {
  return Math.min(longestMs, firstDelayMs * 2 ** Math.min(failures, 10))
}
