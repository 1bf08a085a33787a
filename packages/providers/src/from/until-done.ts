/**
 * A blocking call over passes: pass, look, wait for a change or the time the engine named, again. Only for callers who
 * want to wait; controllers call the engine's passes themselves and never wait.
 */
import { type Call, type Clock, type Deadline, Fault, onAbort, withDeadline } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { Observation, Observed } from '../observed.ts'
import type { Pass } from '../pass.ts'
import { type Ref, refKey, refName } from '../ref.ts'
import { bounded } from './bounded.ts'
import type { ChangeFeed } from './change-feed.ts'

export type Work = {
  /** `Provisioning`, `Stopping` …: how a message begins. */
  readonly what: string
  readonly ref: Ref
  /** How long it may go without progress. */
  readonly deadlineMs: number
  readonly pass: (call: Call) => Promise<Pass>
  /** Grows when the work comes closer to its end; only a new best moves the deadline. */
  readonly progress: (observed: Observed | undefined) => number
  /** Whether a stall that is seen ends the work. */
  readonly failsOnStall: boolean
}

type Tools = { readonly engine: Pick<Engine, 'look'>; readonly clock: Clock; readonly feed: ChangeFeed }

export async function untilDone(work: Work, { engine, clock, feed }: Tools, call: Call): Promise<void> {
  const { what, ref, deadlineMs, pass } = work
  const subject = `${what} ${refName(ref)}`
  const bell = new Bell()
  const leave = feed.subscribe((seen) => {
    if (concerns(ref, seen)) bell.ring()
  })
  let deadline = withDeadline(clock, deadlineMs, subject, call)
  let waiting = 'the engine to answer'
  let stall = ''
  try {
    const before = await bounded((within) => engine.look(ref, within), deadline)
    const known = before?.stalled?.at.getTime()
    let best = work.progress(before)
    for (;;) {
      bell.silence()
      const result = await bounded(pass, deadline)
      if (result.state === 'done') return
      waiting = result.reason
      const observed = await bounded((within) => engine.look(ref, within), deadline)
      const stalled = observed?.stalled
      stall = stalled ? ` (${stalled.message})` : ''
      // A stall from before is what we are here to overcome; only a new one is an answer.
      if (work.failsOnStall && stalled && stalled.at.getTime() !== known) {
        throw new Fault(stalled.reason, `${subject} failed: ${stalled.message}`)
      }
      const progress = work.progress(observed)
      if (progress > best) {
        best = progress
        deadline.clear()
        deadline = withDeadline(clock, deadlineMs, subject, call)
      }
      await bell.wait(clock, result.afterMs, deadline)
    }
  } catch (error) {
    throw deadline.passed() ? tooLate(subject, deadlineMs, waiting + stall, deadline, error) : error
  } finally {
    deadline.clear()
    leave()
  }
}

function tooLate(subject: string, ms: number, waiting: string, deadline: Deadline, error: unknown): unknown {
  if (error !== deadline.signal.reason) return error
  const message = `${subject} made no progress for ${ms / 1000} s; it was waiting for ${waiting}`
  return new Fault('deadline_exceeded', message, { cause: error })
}

function concerns(ref: Ref, seen: Observation): boolean {
  if (seen.type === 'changed') return refKey(seen.instance.ref) === refKey(ref)
  if (seen.type === 'gone') return refKey(seen.ref) === refKey(ref)
  return seen.type === 'snapshot'
}

/** Rung between two waits, it ends the next one at once: no change falls between looking and waiting. */
class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  silence(): void {
    this.#rung = false
  }

  wait(clock: Clock, ms: number, { signal }: Call): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.#rung) return resolve()
      const cancel = clock.after(ms, () => finish(resolve))
      const leave = onAbort(signal, () => finish(() => reject(signal.reason)))
      const finish = (settle: () => void): void => {
        cancel()
        leave()
        this.#wake = undefined
        settle()
      }
      this.#wake = () => finish(resolve)
    })
  }
}
