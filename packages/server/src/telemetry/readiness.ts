/** Whether the server can do its work, asked of every part that it is made of. */
import type { Readiness } from '@gantry/api'
import { type Call, type Clock, isFault, orAbort, withDeadline } from '@gantry/core'

/** Looks now. Resolves if the part can do its work; throws why it cannot. */
export type ReadyCheck = (call: Call) => Promise<void>

/** A part that does not answer in time is not ready either. */
const withinMs = 2000

export class ReadyParts {
  readonly #clock: Clock
  readonly #parts = new Map<string, ReadyCheck>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** From now on this part is asked too. Returns what takes it out again. A name that is taken is a mistake. */
  add(name: string, check: ReadyCheck): () => void {
    if (this.#parts.has(name)) throw new Error(`there is a part called ${name} already`)
    this.#parts.set(name, check)
    return () => this.#parts.delete(name)
  }

  /** All at once: the slowest decides how long it takes. */
  async look(call: Call): Promise<Readiness> {
    const parts = await Promise.all([...this.#parts].map(([name, check]) => this.#ask(name, check, call)))
    return { ready: parts.every(({ ready }) => ready), parts }
  }

  async #ask(name: string, check: ReadyCheck, call: Call): Promise<Readiness['parts'][number]> {
    const deadline = withDeadline(this.#clock, withinMs, `Looking at the ${name}`, call)
    try {
      await orAbort(check(deadline), deadline)
      return { name, ready: true }
    } catch (error) {
      call.signal.throwIfAborted()
      // Anybody may ask, so nothing is told that was not written for everybody.
      return { name, ready: false, message: isFault(error) ? error.message : 'failed when it was looked at' }
    } finally {
      deadline.clear()
    }
  }
}
