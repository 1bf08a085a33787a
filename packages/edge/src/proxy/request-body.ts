/**
 * The body of a request on its way to a backend. It stands between the two, because a backend that answers early makes
 * undici destroy what it was given, and the client's connection must live on to carry that answer.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '@gantry/core'
import type { EdgeLimits } from './limits.ts'
import type { Stalls, Waiting } from './stalls.ts'

export type BodyOptions = {
  readonly clock: Clock
  readonly limits: EdgeLimits
  readonly stalls: Stalls
  /** Called before the first byte is asked of the client. */
  readonly wanted: () => void
  readonly tooSlow: () => void
}

export class RequestBody extends Readable implements Waiting {
  readonly #source: IncomingMessage
  readonly #options: BodyOptions
  #asked = false
  #bytes = 0
  #waitedMs = 0
  owesSince: number | undefined

  constructor(source: IncomingMessage, options: BodyOptions) {
    super({ highWaterMark: 65_536 })
    this.#source = source
    this.#options = options
  }

  /** Whether anything was asked of the client: if not, all of the body can still be sent somewhere else. */
  get asked(): boolean {
    return this.#asked
  }

  override _read(): void {
    if (!this.#asked) this.#begin()
    if (this.owesSince === undefined) this.owesSince = this.#options.clock.monotonic()
    this.#source.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#options.stalls.unwatch(this)
    this.#source.off('data', this.#onData)
    this.#source.off('end', this.#onEnd)
    done(error)
  }

  tooSlow(now: number): boolean {
    const waited = this.#waitedMs + (this.owesSince === undefined ? 0 : now - this.owesSince)
    const { stallMs, bodyBytesPerSecond } = this.#options.limits
    return waited > stallMs && this.#bytes / (waited / 1000) < bodyBytesPerSecond
  }

  giveUp(): void {
    this.#options.tooSlow()
  }

  #begin(): void {
    this.#asked = true
    this.#options.wanted()
    this.#source.on('data', this.#onData)
    this.#source.on('end', this.#onEnd)
    this.#options.stalls.watch(this)
  }

  readonly #onData = (chunk: Buffer): void => {
    const now = this.#options.clock.monotonic()
    this.#bytes += chunk.length
    this.#waitedMs += this.owesSince === undefined ? 0 : now - this.owesSince
    this.owesSince = now
    if (this.push(chunk)) return
    this.owesSince = undefined
    this.#source.pause()
  }

  readonly #onEnd = (): void => {
    this.owesSince = undefined
    this.#options.stalls.unwatch(this)
    this.push(null)
  }
}
