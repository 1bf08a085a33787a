/** N workers on a queue: as many keys at once as there are workers, and never two of the same key. */
import { type Call, type Clock, withDeadline } from '@gantry/core'
import type { WorkItem, WorkQueue } from './work-queue.ts'

export type WorkersOptions = {
  readonly queue: WorkQueue
  readonly clock: Clock
  readonly count: number
  /**
   * Runs one key, and hands it back with `queue.done` when the run is really over. What it returns settles when the
   * worker is free for the next key, which may be sooner; nothing returned: it is free already.
   */
  readonly handle: (item: WorkItem) => Promise<void> | undefined
  /** A handler is not supposed to throw. If it does, it is told here, and the worker goes on. */
  readonly onBug: (error: unknown, item: WorkItem) => void
}

export type StopOptions = {
  /** How long to wait for what runs. */
  readonly deadlineMs: number
  /** Also run what waits already, instead of leaving it to whoever starts next. */
  readonly finishQueued?: boolean
}

export type StopReport = {
  /** Everything that ran has come to its end. */
  readonly drained: boolean
  /** Keys that waited and were not run. */
  readonly dropped: number
  readonly stillRunning: readonly string[]
}

/** After this many keys in a row the event loop gets a turn, so that timers and sockets are not starved by the queue. */
const sliceLength = 1024

export class Workers {
  readonly #options: WorkersOptions
  #busy = 0
  #taken = 0
  #pumping = false
  #breather: NodeJS.Immediate | undefined
  #unsubscribe: (() => void) | undefined

  constructor(options: WorkersOptions) {
    this.#options = options
  }

  start(): void {
    this.#unsubscribe ??= this.#options.queue.onReady(() => this.#wake())
    this.#wake()
  }

  /** How many workers have a key now. */
  get busy(): number {
    return this.#busy
  }

  /** Takes no new adds, waits for what runs, and says how that went. Leaves no timer and no listener behind. */
  async stop({ deadlineMs, finishQueued = false }: StopOptions, call: Call): Promise<StopReport> {
    const { queue, clock } = this.#options
    queue.close()
    const dropped = finishQueued ? 0 : queue.clear()
    const deadline = withDeadline(clock, deadlineMs, 'Waiting for the workers to finish', call)
    try {
      await queue.idle(deadline)
      return { drained: true, dropped, stillRunning: [] }
    } catch (error) {
      if (!deadline.passed()) throw error
      return { drained: false, dropped: dropped + queue.clear(), stillRunning: queue.runningKeys() }
    } finally {
      deadline.clear()
      this.#unsubscribe?.()
      clearImmediate(this.#breather)
    }
  }

  #wake(): void {
    if (this.#pumping || this.#breather || this.#busy >= this.#options.count) return
    this.#pumping = true
    queueMicrotask(() => this.#pump())
  }

  #pump(): void {
    this.#pumping = false
    const { queue, count } = this.#options
    while (this.#busy < count) {
      if (this.#taken >= sliceLength) {
        this.#breathe()
        return
      }
      const item = queue.take()
      if (!item) return
      this.#taken += 1
      this.#run(item)
    }
  }

  #run(item: WorkItem): void {
    this.#busy += 1
    let running: Promise<void> | undefined
    try {
      running = this.#options.handle(item)
    } catch (error) {
      this.#options.onBug(error, item)
    }
    if (!running) {
      this.#busy -= 1
      return
    }
    running.then(this.#free, (error: unknown) => {
      this.#options.onBug(error, item)
      this.#free()
    })
  }

  readonly #free = (): void => {
    this.#busy -= 1
    this.#wake()
  }

  #breathe(): void {
    this.#breather = setImmediate(() => {
      this.#breather = undefined
      this.#taken = 0
      this.#pump()
    })
  }
}
