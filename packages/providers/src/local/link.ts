/** The supervisor, and how long this engine is there to talk to it. */
import type { Call } from '@gantry/core'
import type { Supervisor } from './supervisor/supervisor.ts'

export class Link {
  readonly supervisor: Supervisor
  readonly #over = new AbortController()

  constructor(supervisor: Supervisor) {
    this.supervisor = supervisor
  }

  /** Ends with the engine; for what goes on between calls. */
  get call(): Call {
    return this.#over
  }

  close(): void {
    this.#over.abort(new Error('the local engine was closed'))
  }
}
