/** Hands tables to the edge: the newest only, one at a time, and again to every new connection. */
import { asFault, type Call, type Clock, canonicalJson, type Fault, isFault } from '@gantry/core'
import { type EdgeLink, type EdgeTable, emptyTable } from '@gantry/edge'
import type { Compiled } from './compile-table.ts'
import type { EdgeClient } from './edge-client.ts'
import { TableNumbers } from './table-number.ts'

export type PublisherOptions = {
  readonly client: EdgeClient
  readonly clock: Clock
  /** `undefined`: not enough is known yet to say anything. */
  readonly compile: () => Compiled | undefined
  /** The edge routes by this now; `before` is what it routed by until then, as far as that is known. */
  readonly onAcknowledged: (compiled: Compiled, before: EdgeTable) => void
  readonly onTrouble: (fault: Fault) => void
}

/**
 * Changes come in bursts: what comes within this time is one table. Where tables are large it is longer, so that making
 * them never takes more than a part of the time.
 */
const coalesceMs = [5, 250] as const
const restFactor = 4
const againMs = 500

export class Publisher {
  readonly #options: PublisherOptions
  readonly #numbers: TableNumbers
  readonly #stopping = new AbortController()
  readonly #unsubscribe: () => void
  /** What the edge at the other end of this link has acknowledged. */
  #acknowledged: { readonly link: EdgeLink; readonly table: EdgeTable; readonly text: string } | undefined
  #cancel: (() => void) | undefined
  #busy = false

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#numbers = new TableNumbers(options.clock)
    this.#unsubscribe = options.client.subscribe(() => this.changed())
  }

  /** The table that the edge routes by; the empty one while nobody knows. */
  get inForce(): EdgeTable {
    const { client } = this.#options
    return this.#acknowledged && this.#acknowledged.link === client.link ? this.#acknowledged.table : emptyTable
  }

  /** Something may be different now. */
  changed(): void {
    if (!this.#busy) this.#soon(this.#restMs)
    else this.#again = true
  }

  #again = false
  #restMs: number = coalesceMs[0]

  stop(): void {
    this.#stopping.abort(new Error('tables are no longer handed out'))
    this.#unsubscribe()
    this.#cancel?.()
  }

  #soon(ms: number): void {
    if (this.#stopping.signal.aborted) return
    this.#cancel ??= this.#options.clock.after(ms, () => {
      this.#cancel = undefined
      void this.#publish({ signal: this.#stopping.signal })
    })
  }

  async #publish(call: Call): Promise<void> {
    const { client, clock, compile, onTrouble } = this.#options
    const { link } = client
    const began = clock.monotonic()
    const compiled = link && compile()
    this.#restMs = Math.min(coalesceMs[1], Math.max(coalesceMs[0], restFactor * (clock.monotonic() - began)))
    if (!link || !compiled) return
    this.#busy = true
    try {
      await this.#swap(link, compiled, call)
    } catch (error) {
      if (call.signal.aborted) return
      // One that is newer than ours was made by a server before this one, whose clock was ahead.
      if (isFault(error) && error.reason === 'stale_table') this.#numbers.heed((await stateOf(link, call)) ?? 0)
      else if (!isFault(error) || error.reason !== 'edge_unreachable') onTrouble(asFault(error))
      this.#soon(againMs)
    } finally {
      this.#busy = false
      if (this.#again) this.#soon(this.#restMs)
      this.#again = false
    }
  }

  async #swap(link: EdgeLink, compiled: Compiled, call: Call): Promise<void> {
    const text = canonicalJson(compiled.table)
    if (this.#acknowledged?.link === link && this.#acknowledged.text === text) return
    this.#numbers.heed(link.hello.table)
    const table: EdgeTable = { ...compiled.table, number: this.#numbers.next() }
    await link.swap(table, call)
    const before = this.#acknowledged?.table ?? emptyTable
    this.#acknowledged = { link, table, text }
    this.#options.onAcknowledged(compiled, before)
  }
}

async function stateOf(link: EdgeLink, call: Call): Promise<number | undefined> {
  try {
    return (await link.state(call)).table
  } catch (error) {
    if (isFault(error, 'unavailable')) return undefined
    throw error
  }
}
