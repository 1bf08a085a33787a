/**
 * One connection to one backend, for one request at a time. undici has a pool of its own, but with that nobody could tell
 * whether a request went over a connection that was used before, and that decides what may be sent again.
 */

import type { Clock } from '@gantry/core/base'
import { Client, type Dispatcher } from 'undici'
import type { Dial } from '../table.ts'

export type ConnectionLimits = {
  readonly connectMs: number
  /** How long a backend may take until the head of its answer. */
  readonly answerMs: number
  /** How long an unused connection is kept, where the backend does not say. */
  readonly idleMs: number
}

export class Connection {
  readonly #client: Client
  #connectedAt: number | undefined
  #answers = 0
  /** Told once when it has gone while nothing was under way. */
  onIdleEnd: (() => void) | undefined

  constructor(dial: Dial, limits: ConnectionLimits, clock: Pick<Clock, 'monotonic'>) {
    this.#client = new Client(originOf(dial), {
      pipelining: 1,
      connect: { timeout: limits.connectMs, keepAlive: true, ...('unix' in dial && { socketPath: dial.unix }) },
      keepAliveTimeout: limits.idleMs,
      headersTimeout: limits.answerMs,
      // An answer may be a stream that is silent for hours; whether anybody is there is for TCP to find out.
      bodyTimeout: 0,
      maxHeaderSize: 65_536,
    })
    this.#client.on('connect', () => {
      this.#connectedAt = clock.monotonic()
      this.#answers = 0
    })
    this.#client.on('disconnect', () => {
      this.#connectedAt = undefined
      this.onIdleEnd?.()
    })
  }

  /** Whether something was answered over it before: then the backend may have closed it just as the next is sent. */
  get reused(): boolean {
    return this.connected && this.#answers > 0
  }

  get connected(): boolean {
    return this.#connectedAt !== undefined
  }

  /** Whether it was made before then, by the same clock. One that is not made yet was not. */
  isOlderThan(moment: number): boolean {
    return this.#connectedAt !== undefined && this.#connectedAt < moment
  }

  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(request, handler)
  }

  answered(): void {
    this.#answers++
  }

  /** Ends it, and what is under way over it. */
  destroy(): void {
    this.onIdleEnd = undefined
    this.#client.destroy(null, () => undefined)
  }
}

function originOf(dial: Dial): string {
  if ('unix' in dial) return 'http://localhost'
  return `http://${dial.host.includes(':') ? `[${dial.host}]` : dial.host}:${dial.port}`
}
