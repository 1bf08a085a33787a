/**
 * The words of the control socket, one JSON object on a line each way. The edge speaks first and says how it is; then it
 * answers each question, in order of their coming, under the question's id.
 */
import type { EdgeFigures } from '../figures/figures.ts'
import type { EdgeTable } from '../table.ts'

export type EdgeState = {
  readonly protocol: 1
  /** Another one for every run of the program. */
  readonly run: string
  readonly pid: number
  /** The number of the table it routes by; 0: it was never told one. */
  readonly table: number
  /** Where it listens; absent while it cannot, and `trouble` says why. It tries again by itself. */
  readonly listening?: { readonly host: string; readonly port: number }
  readonly trouble?: string
}

export type InFlight = { readonly backend: string; readonly count: number }

export type EdgeQuestion =
  /** Routes by this table from now on. Answered when it is on disk and in force: nothing new goes by an older one. */
  | { readonly id: number; readonly ask: 'swap'; readonly table: EdgeTable }
  | { readonly id: number; readonly ask: 'state' }
  /** The whole table that it routes by, for whoever has none to go on from. */
  | { readonly id: number; readonly ask: 'table' }
  | { readonly id: number; readonly ask: 'figures' }
  /** How many requests these backends have in flight: 0 for one that the edge has never heard of. */
  | { readonly id: number; readonly ask: 'in_flight'; readonly backends: readonly string[] }
  /** Takes nothing new, waits for what is in flight but no longer than this, and ends the program. */
  | { readonly id: number; readonly ask: 'stop'; readonly graceMs: number }

export type Refusal = {
  /** `stale`: a newer table is in force. `invalid`: it does not read. `disk`: it could not be kept; the old one stays. */
  readonly reason: 'stale' | 'invalid' | 'disk'
  readonly message: string
}

export type EdgeAnswer =
  | { readonly id: 0; readonly hello: EdgeState }
  | { readonly id: number; readonly swapped: number; readonly inFlight: readonly InFlight[] }
  | { readonly id: number; readonly state: EdgeState }
  | { readonly id: number; readonly table: EdgeTable }
  | { readonly id: number; readonly figures: EdgeFigures }
  | { readonly id: number; readonly inFlight: readonly InFlight[] }
  | { readonly id: number; readonly stopping: true }
  | { readonly id: number; readonly refused: Refusal }
