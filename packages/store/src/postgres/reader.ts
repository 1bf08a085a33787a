/** Reads on PostgreSQL: on a few connections, and again on another one when theirs is lost. */
import type { Clock } from '@gantry/core'
import pg from 'pg'
import type { PostgresAddress } from './config.ts'
import { isLost, postgresFault } from './faults.ts'

const connections = 6
const patienceMs = 10_000
const firstPauseMs = 25
const longestPauseMs = 1000

export class Reader {
  readonly #pool: pg.Pool
  readonly #clock: Clock
  readonly #where: string

  constructor({ config, where }: PostgresAddress, clock: Clock) {
    this.#clock = clock
    this.#where = where
    this.#pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 30_000 })
    // A connection was lost. Whoever waits for an answer on it is told by the answer; an idle one nobody misses.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /** The rows of each query. They run in this order on one connection, and travel together. */
  async rows<Row extends object>(...queries: readonly pg.QueryConfig[]): Promise<Row[][]> {
    const until = this.#clock.monotonic() + patienceMs
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await this.#once<Row>(queries)
      } catch (error) {
        const isOver = this.#clock.monotonic() + pause >= until
        if (!isLost(error) || isOver) throw postgresFault(error, this.#where)
        await new Promise<void>((resolve) => this.#clock.after(pause, resolve))
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #once<Row extends object>(queries: readonly pg.QueryConfig[]): Promise<Row[][]> {
    const client = await this.#pool.connect()
    const settled = await Promise.allSettled(queries.map((query) => client.query<Row>(query)))
    const failure = settled.find((one) => one.status === 'rejected')?.reason
    client.release(isLost(failure) && failure !== undefined)
    if (failure !== undefined) throw failure
    return settled.map((one) => (one.status === 'fulfilled' ? one.value.rows : []))
  }
}
