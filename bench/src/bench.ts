/** What a benchmark is, and what it says: one row per case, each a median with its spread, against a peer or a limit. */

export type Better = 'higher' | 'lower'

/** Lowest and highest of the rounds behind a median. */
export type Spread = readonly [low: number, high: number]

export type Row = {
  readonly case: string
  readonly ours: number
  /** Null where the row has a limit instead of a peer, or where the peer could not be had (then `missing` says why). */
  readonly peer: number | null
  readonly peerName: string | null
  readonly ratio: number | null
  /** What `ratio` has to reach, where there is a peer. */
  readonly reach?: number
  /** What `ours` must stay within, where there is none. */
  readonly limit?: number
  readonly missing?: string
  readonly rounds: number
  readonly spread: { readonly ours: Spread; readonly peer: Spread | null }
  /** False also when the peer is missing: a figure nobody measured is not reached. */
  readonly reached: boolean
}

export type Report = {
  readonly name: string
  readonly unit: string
  readonly better: Better
  readonly rows: readonly Row[]
  /** Why nothing was measured, where an engine that it needs is not to be had. Then it is not reached either. */
  readonly missing?: string
  readonly reached: boolean
}

export interface Bench {
  readonly name: string
  /** One sentence: what is measured, against what. */
  readonly about: string
  readonly unit: string
  readonly better: Better
  /** Measures everything; tells `say` what it is doing, since a run takes longer than a second. */
  run(context: BenchContext): Promise<readonly Row[]>
}

export type BenchContext = {
  readonly signal: AbortSignal
  /** How many alternating rounds each figure is the median of; at least five. */
  readonly rounds: number
  /** Progress, on stderr only. */
  readonly say: (line: string) => void
}
