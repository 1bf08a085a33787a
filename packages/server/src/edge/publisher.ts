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
  /** The link over which something was acknowledged to us, and not only taken over. */
  #told: EdgeLink | undefined
  #cancel: (() => void) | undefined
  #busy = false
  #compiles = 0
  /** Which of them the edge routes by. */
  #compileInForce = 0

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

  /** How often what is wished was looked at. */
  get compiles(): number {
    return this.#compiles
  }

  /** Whether the edge routes by what was wished after so many looks: a table may be on its way that knew nothing of it. */
  hasFollowed(compiles: number): boolean {
    const { client } = this.#options
    return this.#acknowledged?.link === client.link && this.#compileInForce > compiles
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
    const { link } = this.#options.client
    if (!link) return
    this.#busy = true
    try {
      if (this.#acknowledged?.link !== link) await this.#takeOver(link, call)
      const made = this.#compile()
      if (made) await this.#swap(link, made, this.#compiles, call)
    } catch (error) {
      if (!call.signal.aborted) await this.#failed(link, error, call)
    } finally {
      this.#busy = false
      if (this.#again) this.#soon(this.#restMs)
      this.#again = false
    }
  }

  /** What an edge routes by that is connected to anew: what cannot be told about it stays as it is. */
  async #takeOver(link: EdgeLink, call: Call): Promise<void> {
    const theirs = await link.table(call)
    const { number, ...table } = theirs
    this.#numbers.heed(number)
    this.#acknowledged = { link, table: theirs, text: canonicalJson(table) }
    this.#compileInForce = 0
  }

  #compile(): { readonly compiled: Compiled; readonly text: string } | undefined {
    const { clock, compile } = this.#options
    const began = clock.monotonic()
    this.#compiles += 1
    const compiled = compile()
    const text = compiled && canonicalJson(compiled.table)
    this.#restMs = Math.min(coalesceMs[1], Math.max(coalesceMs[0], restFactor * (clock.monotonic() - began)))
    return compiled && text !== undefined ? { compiled, text } : undefined
  }

  async #failed(link: EdgeLink, error: unknown, call: Call): Promise<void> {
    const reason = isFault(error) ? error.reason : 'unexpected'
    // One that is newer than ours was made by another server, whose clock is ahead.
    if (reason === 'stale_table') await this.#takeOver(link, call).catch(this.#options.onTrouble)
    else if (reason !== 'edge_unreachable') this.#options.onTrouble(asFault(error))
    this.#soon(againMs)
  }

  async #swap(
    link: EdgeLink,
    { compiled, text }: { readonly compiled: Compiled; readonly text: string },
    compile: number,
    call: Call,
  ): Promise<void> {
    const before = this.#acknowledged?.table ?? emptyTable
    const isSame = this.#acknowledged?.text === text
    if (isSame) this.#compileInForce = compile
    if (isSame && this.#told === link) return
    // One that it has already is not handed over again; but what follows from it may not have been done yet.
    const table: EdgeTable = isSame ? before : { ...compiled.table, number: this.#numbers.next() }
    if (!isSame) await link.swap(table, call)
    this.#acknowledged = { link, table, text }
    this.#compileInForce = compile
    this.#told = link
    this.#options.onAcknowledged(compiled, isSame ? emptyTable : before)
  }
}
