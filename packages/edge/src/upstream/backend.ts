/** A backend as it is now: its connections, what is in flight there, and whether anybody answered lately. */
import type { Clock } from '@gantry/core/base'
import { Counter } from '../figures/counter.ts'
import type { Dial, EdgeBackend } from '../table.ts'
import { Connection, type ConnectionLimits } from './connection.ts'
import { Ejection } from './ejection.ts'

/** More than this are not worth keeping open for what may come. */
const mostIdle = 512

export class Backend {
  readonly id: string
  readonly dial: Dial
  readonly counts = new Counter()
  readonly ejection = new Ejection()
  readonly #limits: ConnectionLimits
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #idle: Connection[] = []
  #leaving: boolean
  /** See `EdgeBackend`. */
  maxConnectionAgeMs: number | undefined

  constructor(told: EdgeBackend, limits: ConnectionLimits, clock: Pick<Clock, 'monotonic'>) {
    const { id, dial, leaving, maxConnectionAgeMs } = told
    this.id = id
    this.dial = dial
    this.#leaving = leaving
    this.#limits = limits
    this.#clock = clock
    this.maxConnectionAgeMs = maxConnectionAgeMs
  }

  get leaving(): boolean {
    return this.#leaving
  }

  /** Unused connections of one that leaves are closed, so that nothing of ours keeps it from stopping. */
  set leaving(leaving: boolean) {
    this.#leaving = leaving
    if (leaving) this.closeIdle()
  }

  /** The one used last is the one that is most likely still open. */
  take(): Connection {
    let kept = this.#idle.pop()
    while (kept && this.#isTooOld(kept)) {
      kept.destroy()
      kept = this.#idle.pop()
    }
    const connection = kept ?? this.takeFresh()
    connection.onIdleEnd = undefined
    return connection
  }

  /** One that nothing was ever sent over. */
  takeFresh(): Connection {
    return new Connection(this.dial, this.#limits, this.#clock)
  }

  /** After a whole answer; whether it can be used again is then known to the connection alone. */
  giveBack(connection: Connection): void {
    if (this.#leaving || this.#idle.length >= mostIdle || this.#isTooOld(connection)) {
      connection.destroy()
      return
    }
    connection.onIdleEnd = () => {
      const at = this.#idle.indexOf(connection)
      if (at !== -1) this.#idle.splice(at, 1)
      connection.destroy()
    }
    this.#idle.push(connection)
  }

  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy()
  }

  /** Only between requests: what is under way ends as it does. */
  #isTooOld(connection: Connection): boolean {
    const { maxConnectionAgeMs: most } = this
    return most !== undefined && connection.isOlderThan(this.#clock.monotonic() - most)
  }
}
