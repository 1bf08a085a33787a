/** One connection that comes back: for the writer, and for who listens. */
import { type Clock, Fault } from '@gantry/core'
import pg from 'pg'
import type { PostgresAddress } from './config.ts'
import { isLost, postgresFault, unavailable } from './faults.ts'

const firstPauseMs = 50
const longestPauseMs = 1000

export class Link {
  readonly #address: PostgresAddress
  readonly #clock: Clock
  readonly #prepare: (client: pg.Client) => Promise<unknown>
  #client: pg.Client | undefined
  #connecting: Promise<pg.Client> | undefined
  #isClosed = false

  /** `prepare` is run on every new connection before anybody gets it. */
  constructor(address: PostgresAddress, clock: Clock, prepare: (client: pg.Client) => Promise<unknown>) {
    this.#address = address
    this.#clock = clock
    this.#prepare = prepare
  }

  /** The connection, made anew if it was lost; tries until `until` on the monotonic clock. */
  async client(until: number): Promise<pg.Client> {
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      if (this.#isClosed) throw new Fault('store_closed', 'The store is closed')
      if (this.#client) return this.#client
      try {
        this.#connecting ??= this.#connect().finally(() => {
          this.#connecting = undefined
        })
        return await this.#connecting
      } catch (error) {
        if (!isLost(error)) throw postgresFault(error, this.#address.where)
        if (this.#clock.monotonic() + pause >= until) {
          throw unavailable(this.#address.where, 'It could not be reached in time; nothing was written', {
            cause: error,
          })
        }
        await new Promise<void>((resolve) => this.#clock.after(pause, resolve))
      }
    }
  }

  /** Gives up a connection that can no longer be trusted. */
  drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
    // It is gone already or about to be; how its end goes is of no interest to anybody.
    client.end().catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#address.config)
    const lost = (): void => {
      if (this.#client === client) this.#client = undefined
    }
    // Whoever waits for an answer on it is told by the answer; this only keeps the next one from using it.
    client.on('error', lost)
    client.on('end', lost)
    try {
      await client.connect()
      await this.#prepare(client)
    } catch (error) {
      this.drop(client)
      throw error
    }
    if (this.#isClosed) {
      await client.end()
      throw new Fault('store_closed', 'The store is closed')
    }
    this.#client = client
    return client
  }
}
