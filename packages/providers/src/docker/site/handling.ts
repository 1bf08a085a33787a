/** Does something to a container and looks at it then, so that what is known of it is what came of it. */
import { type Call, isFault } from '@gantry/core'

export class Handling {
  readonly #look: (container: string, call: Call) => Promise<void>
  readonly #busy = new Set<string>()

  constructor(look: (container: string, call: Call) => Promise<void>) {
    this.#look = look
  }

  /** Something is being done to it, after which it is looked at anyway. */
  isBusy(container: string): boolean {
    return this.#busy.has(container)
  }

  look(container: string, call: Call): Promise<void> {
    return this.#look(container, call)
  }

  /** Whatever comes of it. What is told of the container meanwhile need not be looked into. */
  async watched(container: string, work: Promise<void>, call: Call): Promise<void> {
    this.#busy.add(container)
    try {
      await work
    } finally {
      this.#busy.delete(container)
      await this.#look(container, call)
    }
  }

  /** As `watched`, of what may be gone meanwhile, which is then seen. */
  async changed(container: string, work: Promise<void>, call: Call): Promise<void> {
    try {
      await this.watched(container, work, call)
    } catch (error) {
      if (!isFault(error) || error.reason !== 'engine_object_not_found') throw error
    }
  }
}
