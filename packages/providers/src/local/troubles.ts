/** What the machine refuses: said with its time and tried again, not thrown. */
import { type Clock, isFault } from '@gantry/core'
import type { Stall } from '../observed.ts'
import { type Pass, waitFor } from '../pass.ts'
import { type Ref, refKey } from '../ref.ts'
import { isErrno } from './errno.ts'

const tryAgainMs = 500

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

  /** `replica`: the one that it is about, where it is about one. */
  note(ref: Ref, message: string, replica?: number): void {
    const key = refKey(ref)
    this.#met.add(key)
    if (this.#stalls.get(key)?.message === message) return
    const which = replica === undefined ? {} : { replica }
    this.#stalls.set(key, { reason: 'rollout_stalled', message, at: new Date(this.#clock.now()), ...which })
    this.#changed(ref)
  }

  /** A whole pass: what it does not meet again is over. */
  async during(ref: Ref, pass: () => Promise<Pass>): Promise<Pass> {
    const key = refKey(ref)
    this.#met.delete(key)
    const outcome = await pass()
    if (!this.#met.has(key) && this.#stalls.delete(key)) this.#changed(ref)
    return outcome
  }

  /** A part of it: a full disk or a folder that is not ours is noted, and tried again. */
  async mending(ref: Ref, work: () => Promise<Pass>, replica?: number): Promise<Pass> {
    try {
      return await work()
    } catch (error) {
      const message = refusal(error)
      if (message === undefined) throw error
      this.note(ref, message, replica)
      return waitFor(message, tryAgainMs)
    }
  }
}

/** A sentence about what the machine refused; `undefined`: it was something else. */
export function refusal(error: unknown): string | undefined {
  if (isErrno(error, 'ENOSPC', 'EDQUOT')) {
    return `the disk is full: ${error.path ?? 'a file'} cannot be written; make room`
  }
  if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) {
    return `${error.path ?? 'a file'} cannot be written (${error.code}); give the server access to it`
  }
  return isFault(error) && error.reason === 'engine_refused' ? error.message : undefined
}
