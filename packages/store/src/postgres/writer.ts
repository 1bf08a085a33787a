/**
 * Writing on PostgreSQL: each batch is a transaction under one lock, in two round trips. When the connection is lost the
 * batch is tried again; if that happened while it was committing, it is first found out whether it went through.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '@gantry/core'
import type pg from 'pg'
import type { Outcome } from '../database.ts'
import { type Environment, replayable } from '../plan/batch.ts'
import { firstNeeds, type Planned, plan, type WriteRequest } from '../plan/plan.ts'
import type { Known } from '../plan/rows.ts'
import { lockClass, lockKey, type PostgresAddress } from './config.ts'
import { isCollision, isLost, postgresFault, unavailable } from './faults.ts'
import { Link } from './link.ts'
import { learn, learnLease, leaseQuery, lookQuery } from './look.ts'
import { statement } from './statement.ts'
import { writeQueries } from './write-rows.ts'

const patienceMs = 30_000

/** `lost`: nothing was committed; `unknown`: it may have been. */
type Attempt = Outcome | 'lost' | { readonly unknown: Planned }

export class Writer {
  readonly #address: PostgresAddress
  readonly #clock: Clock
  readonly #environment: () => Environment
  readonly #link: Link
  readonly #id = randomUUID()
  #batch = 0

  constructor(address: PostgresAddress, clock: Clock, environment: () => Environment) {
    this.#address = address
    this.#clock = clock
    this.#environment = environment
    this.#link = new Link(address, clock, async () => undefined)
  }

  async write(request: WriteRequest): Promise<Outcome> {
    const until = this.#clock.monotonic() + patienceMs
    this.#batch += 1
    const batch = this.#batch
    try {
      for (;;) {
        const attempt = await this.#attempt(await this.#link.client(until), request, batch)
        if (attempt !== 'lost' && !('unknown' in attempt)) return attempt
        if (attempt === 'lost') {
          if (this.#clock.monotonic() < until) continue
          throw unavailable(this.#address.where, 'It kept failing; nothing was written')
        }
        if (await this.#wentThrough(batch, until)) return { planned: attempt.unknown }
      }
    } catch (error) {
      return { error }
    }
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  async #attempt(client: pg.Client, request: WriteRequest, batch: number): Promise<Attempt> {
    let planned: Planned | undefined
    try {
      planned = await this.#plan(client, request)
      const { changes, audit } = planned.rows
      if (changes.length === 0 && audit.length === 0 && planned.rows.usage.length === 0) {
        await client.query('ROLLBACK')
        return { planned }
      }
    } catch (error) {
      return await this.#giveUp(client, error)
    }
    const signature = { writer: this.#id, batch, at: this.#clock.now(), channel: channelOf(this.#address) }
    const writes = writeQueries(planned, signature).map((query) => client.query(query))
    const commit = client.query('COMMIT')
    const settled = await Promise.allSettled([...writes, commit])
    const ending = await commit.catch(() => undefined)
    if (ending?.command === 'COMMIT') return { planned }
    const failure = settled.find((one) => one.status === 'rejected')?.reason
    // The server said ROLLBACK: it refused a row, and has undone the rest.
    if (ending)
      return isLost(failure) || isCollision(failure) ? 'lost' : { error: postgresFault(failure, this.#address.where) }
    this.#link.drop(client)
    return { unknown: planned }
  }

  /** BEGIN, the lock and the first look travel together; the look is a statement of its own, so it sees who went before. */
  async #plan(client: pg.Client, request: WriteRequest): Promise<Planned> {
    const known: Known = { objects: new Map(), children: new Map(), usage: new Map() }
    const again = replayable(this.#environment())
    let needs = firstNeeds(request)
    const sent: Promise<unknown>[] = [client.query('BEGIN'), client.query(lockQuery(this.#address))]
    const leased = needs.lease === undefined ? undefined : client.query(leaseQuery(needs.lease))
    if (leased) sent.push(leased)
    for (;;) {
      const looked = client.query(lookQuery(needs))
      await settle([...sent.splice(0), looked])
      const head = learn(known, needs, await looked)
      if (leased) learnLease(known, await leased)
      const outcome = plan(request, known, head, again())
      if ('rows' in outcome) return outcome
      needs = outcome
    }
  }

  async #giveUp(client: pg.Client, error: unknown): Promise<Attempt> {
    if (isLost(error)) {
      this.#link.drop(client)
      return 'lost'
    }
    try {
      await client.query('ROLLBACK')
    } catch {
      // The transaction ends with its connection.
      this.#link.drop(client)
    }
    return isCollision(error) ? 'lost' : { error: postgresFault(error, this.#address.where) }
  }

  /** Holding the lock means that the transaction in question is over, one way or the other; then it has signed, or not. */
  async #wentThrough(batch: number, until: number): Promise<boolean> {
    for (;;) {
      try {
        const client = await this.#link.client(until)
        const before = [client.query('BEGIN'), client.query(lockQuery(this.#address))]
        const signed = client.query<{ batch: number }>(statement('SELECT batch FROM writers WHERE id = ?', [this.#id]))
        await settle([...before, signed, client.query('ROLLBACK')])
        return (await signed).rows[0]?.batch === batch
      } catch (cause) {
        if (isLost(cause)) continue
        const why =
          'The connection was lost while a write was being committed: it may or may not have happened, look again'
        throw unavailable(this.#address.where, why, { cause })
      }
    }
  }
}

export const lockQuery = ({ schema }: PostgresAddress): pg.QueryConfig =>
  statement('SELECT pg_advisory_xact_lock(?, ?)', [lockClass, lockKey(schema)])

export const channelOf = ({ schema }: PostgresAddress): string => `gantry_${schema}`

/** Waits for every one of them, so that none is left to fail unheard; throws what the first in order has thrown. */
async function settle(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises)
  for (const promise of promises) await promise
}
