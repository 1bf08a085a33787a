/** Hears of commits by other processes. A missed notification costs latency only: it also looks every now and then. */
import { type Clock, isFault } from '@gantry/core'
import type { Committed } from '../database.ts'
import type { PostgresAddress } from './config.ts'
import { Link } from './link.ts'
import { channelOf } from './writer.ts'

const lookEveryMs = 1000
const patienceMs = 10_000

export class Listener {
  readonly #clock: Clock
  readonly #link: Link
  readonly #committed: Committed
  #cancel: (() => void) | undefined
  #isClosed = false

  constructor(address: PostgresAddress, clock: Clock, committed: Committed) {
    this.#clock = clock
    this.#committed = committed
    this.#link = new Link(address, clock, (client) => {
      client.on('notification', () => committed(undefined))
      return client.query(`LISTEN ${channelOf(address)}`)
    })
    void this.#look()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    await this.#link.close()
  }

  async #look(): Promise<void> {
    try {
      await this.#link.client(this.#clock.monotonic() + patienceMs)
    } catch (error) {
      // Without a connection nothing is heard; the next look tries again, and readers learn of it by their own reads.
      if (!isFault(error)) throw error
    }
    if (this.#isClosed) return
    this.#committed(undefined)
    this.#cancel = this.#clock.after(lookEveryMs, () => void this.#look())
  }
}
