/** Writes wait here for their turn and share commits: every answer waits for its own durability, none for its own fsync. */
import { type Call, Fault } from '@gantry/core'
import type { Database, Outcome } from './database.ts'
import type { Planned, WriteRequest } from './plan/plan.ts'

type Job = {
  readonly request: WriteRequest
  /** The commit begins: from here on the outcome is awaited, whatever the caller's signal does. */
  readonly begin: () => void
  readonly settle: (outcome: Outcome) => void
}

export class CommitQueue {
  readonly #database: Database
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
  }

  submit(request: WriteRequest, { signal }: Call): Promise<Planned> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.#isClosed) return reject(closedFault())
      const abort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== job)
        reject(signal.reason)
      }
      const job: Job = {
        request,
        begin: () => signal.removeEventListener('abort', abort),
        settle: (outcome) => ('planned' in outcome ? resolve(outcome.planned) : reject(outcome.error)),
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.push(job)
      this.#running ??= this.#run()
    })
  }

  /** Lets what is committing finish; what has not begun is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#waiting.splice(0)) {
      job.begin()
      job.settle({ error: closedFault() })
    }
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Everyone whose write was just answered gets to submit the next one before the group is closed.
      await turn()
      const group = this.#waiting.splice(0, this.#database.groupLimit)
      for (const job of group) job.begin()
      const outcomes = await this.#database.commit(group.map((job) => job.request))
      for (const [at, job] of group.entries()) job.settle(outcomes[at] ?? { error: lost() })
    }
    this.#running = undefined
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const closedFault = (): Fault => new Fault('store_closed', 'The store is closed')

const lost = (): Fault => new Fault('unexpected', 'The database gave no outcome for a write')
