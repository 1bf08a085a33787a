/** Looks of many at one daemon: those that are wanted while others are under way become one look at everything. */
import { type Call, orAbort } from '@gantry/core'
import type { Ref } from '../../ref.ts'

export type LooksParts = {
  readonly one: (ref: Ref, call: Call) => Promise<void>
  /** One question about everything, for the sake of these. */
  readonly many: (refs: readonly Ref[], call: Call) => Promise<void>
  /** How much there is to see in a look at everything. */
  readonly size: () => number
  /** What nobody waits for any more goes on for the others. */
  readonly life: Call
}

const atOnce = 2
/** A look of its own costs about as much as so many more containers in a look at everything. */
const worth = 8

type Waiting = { readonly ref: Ref; readonly call: Call; readonly settle: (look: Promise<void>) => void }

export class Looks {
  readonly #parts: LooksParts
  #running = 0
  #waiting: Waiting[] = []

  constructor(parts: LooksParts) {
    this.#parts = parts
  }

  /** Resolves with what was looked at after it was asked for, and never with an answer that was on its way already. */
  look(ref: Ref, call: Call): Promise<void> {
    call.signal.throwIfAborted()
    if (this.#running < atOnce) return this.#run(() => this.#parts.one(ref, call))
    const settled = new Promise<void>((resolve) => {
      this.#waiting.push({ ref, call, settle: resolve })
    })
    return orAbort(settled, call)
  }

  async #run(look: () => Promise<void>): Promise<void> {
    this.#running += 1
    try {
      await look()
    } finally {
      this.#running -= 1
      this.#next()
    }
  }

  #next(): void {
    const waiting = this.#waiting.filter(({ call }) => !call.signal.aborted)
    const { one, many, size, life } = this.#parts
    if (waiting.length > 1 && waiting.length * worth >= size()) {
      this.#waiting = []
      const refs = waiting.map(({ ref }) => ref)
      const look = this.#run(() => many(refs, life))
      for (const { settle } of waiting) settle(look)
      return
    }
    const [first, ...others] = waiting
    this.#waiting = others
    if (first) first.settle(this.#run(() => one(first.ref, first.call)))
  }
}
