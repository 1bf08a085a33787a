/**
 * One engine's stream of observations, followed for as long as it is kept: what was said is remembered, an end or a fault
 * makes everything unknown, and the stream is asked for again, but not in a hurry.
 */
import { asFault, type Clock, Fault, onAbort, orAbort, sleep } from '@gantry/core'
import { type Engine, type Observation, type Observed, type Ref, refKey } from '@gantry/providers'
import type { Sight, View } from './engine-hub.ts'

export type LookoutOptions = {
  readonly provider: string
  readonly engine: Pick<Engine, 'observe'>
  readonly clock: Clock
  /** Called after what it tells is remembered. */
  readonly tell: (seen: Observation) => void
}

/** Between two streams: from the first delay, doubling to the last; the first again after a whole snapshot. */
const againMs = { first: 250, last: 10_000 } as const

export class Lookout {
  readonly #options: LookoutOptions
  readonly #stop = new AbortController()
  readonly #seen = new Map<string, Observed>()
  #view: View
  #at: Date
  #stream: AbortController | undefined
  #failures = 0
  #hasLooked = false
  readonly #lost = new Set<(fault: Fault) => void>()
  readonly #ended: Promise<void>

  constructor(options: LookoutOptions) {
    this.#options = options
    this.#at = this.#now()
    const fault = new Fault('engine_unreachable', `The engine of provider "${options.provider}" was not looked at yet`)
    this.#view = { state: 'blind', fault, since: this.#at }
    this.#ended = this.#follow()
  }

  get view(): View {
    return this.#view
  }

  get all(): readonly Observed[] {
    return [...this.#seen.values()]
  }

  sight(ref: Ref): Sight {
    const observed = this.#seen.get(refKey(ref))
    if (this.#view.state === 'seeing') return { state: 'seen', observed, at: observed?.at ?? this.#at }
    const { fault, since } = this.#view
    return { state: 'blind', fault, since, last: observed }
  }

  /** Nothing that was said counts from here on, until a new snapshot. */
  doubt(fault: Fault): void {
    this.#take({ type: 'blind', fault, at: this.#now() })
    this.#stream?.abort(fault)
  }

  /** Calls back once when it is blind the next time. Returns how to take that back. */
  onBlind(lost: (fault: Fault) => void): () => void {
    this.#lost.add(lost)
    return () => this.#lost.delete(lost)
  }

  /** After the first snapshot, or the first word that there is none to be had. */
  get hasLooked(): boolean {
    return this.#hasLooked
  }

  /** Returns when the stream has ended. */
  async close(): Promise<void> {
    this.#stop.abort(new Fault('aborted', `The engine of provider "${this.#options.provider}" is let go`))
    await this.#ended
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const stream = new AbortController()
      this.#stream = stream
      const leave = onAbort(signal, () => stream.abort(signal.reason))
      try {
        await this.#read(stream.signal)
      } catch (error) {
        if (signal.aborted) return
        // Whoever doubted has said so already.
        if (!stream.signal.aborted) this.#take({ type: 'blind', fault: asFault(error), at: this.#now() })
      } finally {
        leave()
      }
      await this.#pause()
    }
  }

  /** Not every engine listens to its signal at every moment, so each word is waited for no longer than that. */
  async #read(signal: AbortSignal): Promise<void> {
    const { engine, provider } = this.#options
    const stream = engine.observe({ signal })[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await orAbort(stream.next(), { signal })
        if (done) break
        this.#take(value)
      }
    } finally {
      // Nobody waits for a stream that is let go; how it ends is told to nobody.
      stream.return?.().catch(() => undefined)
    }
    throw new Fault('engine_unreachable', `The engine of provider "${provider}" stopped telling what it sees`)
  }

  #take(seen: Observation): void {
    const before = seen.type === 'snapshot' ? this.all : []
    this.#remember(seen)
    if (seen.type === 'snapshot' || seen.type === 'blind') this.#hasLooked = true
    this.#options.tell(seen)
    // What went in a gap is told as if it had been seen to go.
    for (const { ref } of before) {
      if (!this.#seen.has(refKey(ref))) this.#options.tell({ type: 'gone', ref, at: this.#at })
    }
  }

  #remember(seen: Observation): void {
    switch (seen.type) {
      case 'snapshot':
        this.#seen.clear()
        for (const instance of seen.instances) this.#seen.set(refKey(instance.ref), instance)
        this.#failures = 0
        this.#view = { state: 'seeing', since: seen.at }
        this.#at = seen.at
        break
      case 'changed':
        this.#seen.set(refKey(seen.instance.ref), seen.instance)
        this.#at = seen.instance.at
        break
      case 'gone':
        this.#seen.delete(refKey(seen.ref))
        this.#at = seen.at
        break
      case 'blind': {
        // Since when it cannot be looked at does not move with every try.
        const since = this.#view.state === 'blind' && this.#hasLooked ? this.#view.since : seen.at
        this.#view = { state: 'blind', fault: seen.fault, since }
        for (const lost of [...this.#lost]) lost(seen.fault)
        break
      }
      default:
        seen satisfies never
    }
  }

  async #pause(): Promise<void> {
    const ms = Math.min(againMs.last, againMs.first * 2 ** Math.min(this.#failures, 10))
    this.#failures += 1
    await sleep(this.#options.clock, ms, this.#stop).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error
    })
  }

  #now(): Date {
    return new Date(this.#options.clock.now())
  }
}
