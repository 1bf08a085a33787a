/** A backend as it is now: its connections, what is in flight there, and whether anybody answered lately. */
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
  readonly #idle: Connection[] = []
  #leaving: boolean

  constructor({ id, dial, leaving }: EdgeBackend, limits: ConnectionLimits) {
    this.id = id
    this.dial = dial
    this.#leaving = leaving
    this.#limits = limits
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
    const connection = this.#idle.pop() ?? new Connection(this.dial, this.#limits)
    connection.onIdleEnd = undefined
    return connection
  }

  /** One that nothing was ever sent over. */
  takeFresh(): Connection {
    return new Connection(this.dial, this.#limits)
  }

  /** After a whole answer; whether it can be used again is then known to the connection alone. */
  giveBack(connection: Connection): void {
    if (this.#leaving || this.#idle.length >= mostIdle) {
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
}
