/** What an engine refuses to an instance as a whole: said with its time and tried again, not thrown. */
import type { Clock } from '@gantry/core'
import type { Stall } from '../observed.ts'
import { type Pass, waitFor } from '../pass.ts'
import { type Ref, refKey } from '../ref.ts'

export type Refusal = Pick<Stall, 'reason' | 'message'>

export type TroublesParts = {
  readonly clock: Clock
  readonly changed: (ref: Ref) => void
  /** What the engine has refused, in a sentence; `undefined`: it was something else, which is thrown. */
  readonly refusal: (error: unknown) => Refusal | undefined
  readonly tryAgainMs: number
}

/** By instance: what stood in the way of the last pass, and since when. */
export class Troubles {
  readonly #parts: TroublesParts
  readonly #stalls = new Map<string, Stall>()
  /** Those that the pass that is going on has met. */
  readonly #met = new Set<string>()

  constructor(parts: TroublesParts) {
    this.#parts = parts
  }

  of(ref: Ref): Stall | undefined {
    return this.#stalls.get(refKey(ref))
  }

  forget(ref: Ref): void {
    this.#stalls.delete(refKey(ref))
  }

  /** `replica`: the one that it is about, where it is about one. The time of the first word about it stays. */
  note(ref: Ref, refusal: Refusal, replica?: number): void {
    const { clock, changed } = this.#parts
    const key = refKey(ref)
    this.#met.add(key)
    if (this.#stalls.get(key)?.message === refusal.message) return
    this.#stalls.set(key, { ...refusal, at: new Date(clock.now()), ...(replica === undefined ? {} : { replica }) })
    changed(ref)
  }

  /** A whole pass: what it does not meet again is over. */
  async during(ref: Ref, pass: () => Promise<Pass>): Promise<Pass> {
    const key = refKey(ref)
    this.#met.delete(key)
    const outcome = await pass()
    if (!this.#met.has(key) && this.#stalls.delete(key)) this.#parts.changed(ref)
    return outcome
  }

  /** A part of it: what is refused is noted, and tried again. */
  async mending(ref: Ref, work: () => Promise<Pass>, replica?: number): Promise<Pass> {
    try {
      return await work()
    } catch (error) {
      const refusal = this.#parts.refusal(error)
      if (!refusal) throw error
      this.note(ref, refusal, replica)
      return waitFor(refusal.message, this.#parts.tryAgainMs)
    }
  }
}
