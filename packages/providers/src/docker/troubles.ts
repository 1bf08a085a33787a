/** What the daemon refuses to an instance as a whole: said with its time and tried again, not thrown. */
import { type Clock, isFault } from '@gantry/core'
import type { Stall } from '../observed.ts'
import { type Pass, waitFor } from '../pass.ts'
import { type Ref, refKey } from '../ref.ts'

const tryAgainMs = 1000

/** By instance: what stood in the way of the last pass, and since when. */
export class Troubles {
  readonly #clock: Clock
  readonly #changed: (ref: Ref) => void
  readonly #stalls = new Map<string, Stall>()
  /** Those that the pass that is going on has met. */
  readonly #met = new Set<string>()

  constructor(clock: Clock, changed: (ref: Ref) => void) {
    this.#clock = clock
    this.#changed = changed
  }

  of(ref: Ref): Stall | undefined {
    return this.#stalls.get(refKey(ref))
  }

  forget(ref: Ref): void {
    this.#stalls.delete(refKey(ref))
  }

  /** A whole pass: what it does not meet again is over. */
  async during(ref: Ref, pass: () => Promise<Pass>): Promise<Pass> {
    const key = refKey(ref)
    this.#met.delete(key)
    const outcome = await pass()
    if (!this.#met.has(key) && this.#stalls.delete(key)) this.#changed(ref)
    return outcome
  }

  /** A part of it: what the daemon refuses is noted. What is somebody else's, and a daemon out of reach, is thrown. */
  async mending(ref: Ref, replica: number, work: () => Promise<Pass>): Promise<Pass> {
    try {
      return await work()
    } catch (error) {
      if (!isFault(error) || !isRefusal(error.reason)) throw error
      this.#note(ref, { reason: error.reason, message: error.message, replica })
      return waitFor(error.message, tryAgainMs)
    }
  }

  #note(ref: Ref, stall: Omit<Stall, 'at'>): void {
    const key = refKey(ref)
    this.#met.add(key)
    if (this.#stalls.get(key)?.message === stall.message) return
    this.#stalls.set(key, { ...stall, at: new Date(this.#clock.now()) })
    this.#changed(ref)
  }
}

const refusals: ReadonlySet<string> = new Set([
  'engine_full',
  'engine_refused',
  'engine_rejected',
  'engine_object_conflict',
  'engine_object_exists',
  'engine_object_not_found',
  'port_in_use',
])

const isRefusal = (reason: string): boolean => refusals.has(reason)
