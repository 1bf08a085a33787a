/**
 * One tail for all watchers. The feed keeps the newest changes in memory; each watcher is only a position. One that keeps
 * up is served from memory, a slow one from the log, so that readers cost no buffers and cannot hold up anybody.
 */
import { type Call, type Clock, onAbort, orAbort } from '@gantry/core'
import { closedFault } from '../commit-queue.ts'
import type { Database } from '../database.ts'
import type { ChangeRow } from '../plan/rows.ts'
import { FeedEvent, type Filter } from './event.ts'
import { Parking } from './parking.ts'
import { RecentChanges } from './recent-changes.ts'

const readAtOnce = 1000
const bookmarkEveryMs = 10_000
const retryAfterMs = 250

export class Feed {
  readonly #database: Database
  readonly #clock: Clock
  readonly #parking = new Parking()
  readonly #recent = new RecentChanges()
  #tail = 0
  #watchers = 0
  #pulling: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined
  #isClosed = false

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
    database.tail((changes) => this.#committed(changes))
  }

  /** The version up to which the feed has come. */
  get tail(): number {
    return this.#tail
  }

  /** Counts a watcher in, and comes up to at least `version`. The returned function counts it out. */
  async join(version: number, call: Call): Promise<() => void> {
    this.#watchers += 1
    if (this.#watchers === 1) this.#begin(version)
    let hasLeft = false
    const leave = (): void => {
      if (hasLeft) return
      hasLeft = true
      this.#watchers -= 1
      if (this.#watchers === 0) this.#rest()
    }
    try {
      while (this.#tail < version) {
        if (this.#isClosed) throw closedFault()
        await orAbort(this.#pull(), call)
      }
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  /** The change after `version`, if it is still in memory. */
  recent(version: number): FeedEvent | undefined {
    return this.#recent.after(version)
  }

  /** Waits for the next change that `filter` selects, or for a bookmark to be due; resolves with the new position. */
  next(filter: Filter, { signal }: Call): Promise<number> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (this.#isClosed) return reject(closedFault())
      const waker = {
        filter,
        wake: (version: number) => {
          leave()
          if (this.#isClosed) reject(closedFault())
          else resolve(version)
        },
      }
      const leave = onAbort(signal, () => {
        this.#parking.leave(waker)
        reject(signal.reason)
      })
      this.#parking.park(waker)
    })
  }

  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#parking.wakeAll(this.#tail)
  }

  #begin(version: number): void {
    this.#recent.clear()
    this.#tail = version
    let before = version
    const tick = (): void => {
      // Whoever is still not there after so long is slow, and reads the log; a feed that rests keeps nothing.
      this.#recent.forgetUpTo(before)
      before = this.#tail
      this.#parking.wakeAll(this.#tail)
      this.#cancelTimer = this.#clock.after(bookmarkEveryMs, tick)
    }
    this.#cancelTimer = this.#clock.after(bookmarkEveryMs, tick)
  }

  #rest(): void {
    this.#recent.clear()
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  #committed(changes: readonly ChangeRow[] | undefined): void {
    if (this.#watchers === 0 || this.#isClosed || changes?.length === 0) return
    const next = changes?.[0]?.version
    if (changes && next === this.#tail + 1 && !this.#pulling) this.#append(changes)
    else if (next === undefined || next > this.#tail) void this.#pull()
  }

  #append(changes: readonly ChangeRow[]): void {
    for (const row of changes) {
      const event = new FeedEvent(row)
      this.#recent.push(event)
      this.#tail = row.version
      this.#parking.announce(event)
    }
    this.#recent.trim()
  }

  /** Reads on from the tail until there is nothing more. Never fails: while the database is away, it tries again. */
  #pull(): Promise<void> {
    this.#pulling ??= this.#readOn().finally(() => {
      this.#pulling = undefined
    })
    return this.#pulling
  }

  async #readOn(): Promise<void> {
    while (this.#watchers > 0 && !this.#isClosed) {
      const after = this.#tail
      try {
        const window = { after, upTo: after + readAtOnce, limit: readAtOnce }
        const { rows, compacted } = await this.#database.changes(window)
        if (after !== this.#tail) continue
        if (compacted > after) this.#skipTo(compacted)
        else if (rows.length === 0) return
        else this.#append(rows)
      } catch {
        // Whoever reads or writes learns why; here it only means that the next change is not known yet.
        await new Promise<void>((resolve) => this.#clock.after(retryAfterMs, resolve))
      }
    }
  }

  /** The log was compacted beyond what we had seen: the watchers must find that out where they stand. */
  #skipTo(version: number): void {
    const seen = this.#tail
    this.#recent.clear()
    this.#tail = version
    this.#parking.wakeAll(seen)
  }
}
