/** One connection to an edge that runs. It ends when the edge does; whoever holds it connects again. */
import type { Call } from '@gantry/core'
import type { EdgeFigures } from '../figures/figures.ts'
import type { EdgeTable } from '../table.ts'
import type { EdgeState, InFlight } from './protocol.ts'

export interface EdgeLink {
  /** How the edge was when it was connected to. */
  readonly hello: EdgeState
  /** Resolves when the connection is over, with why it ended; never rejects. */
  readonly ended: Promise<string>
  /** Done when the table is on disk and in force; then what the backends that leave still have in flight. */
  swap(table: EdgeTable, call: Call): Promise<readonly InFlight[]>
  state(call: Call): Promise<EdgeState>
  /** What it routes by now; the empty table if it was never told one. */
  table(call: Call): Promise<EdgeTable>
  figures(call: Call): Promise<EdgeFigures>
  /** 0 for a backend that the edge has never heard of. */
  inFlight(backends: readonly string[], call: Call): Promise<readonly InFlight[]>
  /** Done when the edge was told; it ends when nothing is in flight any more, or after the grace. */
  stop(graceMs: number, call: Call): Promise<void>
  close(): void
}
