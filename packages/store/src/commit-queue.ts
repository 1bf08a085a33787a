/** Writes wait here for their turn and share commits: every answer waits for its own durability, none for its own fsync. */
import { type Call, Fault, onAbort } from '@gantry/core'
import type { Database, Outcome } from './database.ts'
import type { Planned, WriteRequest } from './plan/plan.ts'

type Job = {
  readonly request: WriteRequest
  readonly signal: AbortSignal
  /** Listens to the signal while the job has to wait for somebody else's commit. */
  leave: (() => void) | undefined
  readonly settle: (outcome: Outcome) => void
}

export class CommitQueue {
  readonly #database: Database
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  #isCommitting = false
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
  }

  submit(request: WriteRequest, { signal }: Call): Promise<Planned> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.#isClosed) return reject(closedFault())
      const settle = (outcome: Outcome): void =>
        'planned' in outcome ? resolve(outcome.planned) : reject(outcome.error)
      const job: Job = { request, signal, settle, leave: undefined }
      this.#waiting.push(job)
      if (this.#isCommitting) this.#listen(job)
      this.#running ??= this.#run()
    })
  }

  /** Lets what is committing finish; what has not begun is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#waiting.splice(0)) {
      job.leave?.()
      job.settle({ error: closedFault() })
    }
    await this.#running
  }

  /** A job that is taken up in this very turn needs no listener: it is looked at when its group is made. */
  #listen(job: Job): void {
    job.leave ??= onAbort(job.signal, () => {
      this.#waiting = this.#waiting.filter((other) => other !== job)
      job.settle({ error: job.signal.reason })
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Everyone whose write was just answered gets to submit the next one before the group is closed.
      await turn()
      const group = this.#nextGroup()
      if (group.length === 0) continue
      this.#isCommitting = true
      for (const job of this.#waiting) this.#listen(job)
      const outcomes = await this.#database.commit(group.map((job) => job.request))
      this.#isCommitting = false
      for (const [at, job] of group.entries()) job.settle(outcomes[at] ?? { error: lost() })
    }
    this.#running = undefined
  }

  /** From here on the outcome is awaited, whatever the callers' signals do. */
  #nextGroup(): Job[] {
    const group: Job[] = []
    for (const job of this.#waiting.splice(0, this.#database.groupLimit)) {
      job.leave?.()
      if (job.signal.aborted) job.settle({ error: job.signal.reason })
      else group.push(job)
    }
    return group
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const closedFault = (): Fault => new Fault('store_closed', 'The store is closed')

const lost = (): Fault => new Fault('unexpected', 'The database gave no outcome for a write')
