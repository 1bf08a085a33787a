/**
 * A stream of Server-Sent Events that pulls: the next change is asked for when the last was taken, so a slow reader holds
 * no more than one event. One that takes nothing for too long is told why and let go.
 */
import { Readable } from 'node:stream'
import { faultEvent } from '@gantry/api'
import { asFault, type Clock, Fault } from '@gantry/core'
import { problemOf } from '../app/problem.ts'
import type { StreamEvent } from '../app/request.ts'

/** How things are written down; left out: as Server-Sent Events of something that never ends by itself. */
export type StreamFormat = {
  event(event: StreamEvent): string
  /** The last word, of something that did not end well. */
  fault(problem: string): string
  /** A sign of life. */
  readonly beat: string
  /** The last word, of something that has come to its end; `undefined`: having an end is a fault. */
  readonly end: string | undefined
}

export const watchFormat: StreamFormat = {
  event: ({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`,
  fault: (problem) => `event: ${faultEvent}\ndata: ${problem}\n\n`,
  beat: ': \n\n',
  end: undefined,
}

export type StreamOptions = {
  readonly format?: StreamFormat
  readonly clock: Clock
  readonly stalledMs: number
  readonly requestId: string
  /** Called once, with why it ended if it was not the reader. */
  readonly ended: (why: Fault | undefined) => void
}

export class EventStream extends Readable {
  readonly #events: AsyncIterator<StreamEvent>
  readonly #options: StreamOptions
  readonly #format: StreamFormat
  #cancel: (() => void) | undefined
  #isOver = false
  #isPulling = false

  constructor(events: AsyncIterable<StreamEvent>, options: StreamOptions) {
    super({ highWaterMark: 16 * 1024 })
    this.#events = events[Symbol.asyncIterator]()
    this.#options = options
    this.#format = options.format ?? watchFormat
  }

  /** Ends it with a last event that says why. */
  closeWith(fault: Fault): void {
    if (this.#isOver) return
    this.#finish(fault)
    this.push(this.#format.fault(problemOf(fault, this.#options.requestId).body))
    this.push(null)
    // Whoever did not read until now may never do so: the reason is there for a while, the memory not for ever.
    const destroy = this.#options.clock.after(this.#options.stalledMs, () => this.destroy())
    this.once('close', destroy)
  }

  /** A word now and then, so that the reader knows that the connection is alive. Not to one who does not listen. */
  beat(): void {
    if (!this.#isOver && !this.#cancel) this.push(this.#format.beat)
  }

  override _read(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (!this.#isPulling) void this.#pull()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#isOver) this.#finish(undefined)
    done(error)
  }

  async #pull(): Promise<void> {
    this.#isPulling = true
    try {
      while (!this.#isOver) {
        const next = await this.#events.next()
        if (this.#isOver) return
        if (next.done) return this.#end()
        const isTaken = this.push(this.#format.event(next.value))
        if (!isTaken) return this.#await()
      }
    } catch (error) {
      this.closeWith(asFault(error))
    } finally {
      this.#isPulling = false
    }
  }

  #end(): void {
    const { end } = this.#format
    if (end === undefined) {
      this.closeWith(new Fault('shutting_down', 'The stream has ended; watch again'))
      return
    }
    this.#finish(undefined)
    this.push(end)
    this.push(null)
  }

  #await(): void {
    const { clock, stalledMs } = this.#options
    this.#cancel = clock.after(stalledMs, () => {
      this.closeWith(new Fault('slow_reader', `Nothing was read for ${stalledMs} ms; watch again from the last event`))
    })
  }

  #finish(why: Fault | undefined): void {
    this.#isOver = true
    this.#cancel?.()
    this.#cancel = undefined
    this.#options.ended(why)
    // Ends the watch behind it; what it says to that is of no matter any more.
    void this.#events.return?.().catch(() => undefined)
  }
}
