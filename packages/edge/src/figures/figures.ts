/** What the edge has counted. Counters only grow while one edge runs; another run has another id and begins with nothing. */

/** Upper bounds in milliseconds; one more bucket follows for all that took longer. */
export const latencyBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000] as const

/** Why a request did not get the answer of a backend. `client`: the client went away first, which is nobody's error here. */
export const failureReasons = ['connect', 'reset', 'timeout', 'bad_answer', 'nobody', 'client'] as const
export type FailureReason = (typeof failureReasons)[number]

export type Counts = {
  /** Ended, whichever way. */
  readonly requests: number
  /** Answers that a backend gave, by the first digit of the status, from 1 to 5. An upgrade is a 1. */
  readonly answers: readonly [number, number, number, number, number]
  readonly failures: Readonly<Record<FailureReason, number>>
  /** Of a backend's answers, until their end; by `latencyBounds`. */
  readonly latency: readonly number[]
  readonly latencySumMs: number
  readonly inFlight: number
}

export type SlotFigures = Counts & { readonly slot: 'a' | 'b' }

export type RouteFigures = Counts & {
  readonly route: string
  /** The uid of its workload. */
  readonly workload: string
  readonly slots: readonly SlotFigures[]
}

export type BackendFigures = Counts & {
  readonly backend: string
  readonly leaving: boolean
  /** Taken out by the edge itself, because nobody answers there, for this long from now. */
  readonly ejectedForMs: number
}

export type EdgeFigures = {
  /** Which run of the edge counted this. */
  readonly run: string
  readonly table: number
  readonly routes: readonly RouteFigures[]
  /** Those of the table, and those that are gone from it while something is in flight there. */
  readonly backends: readonly BackendFigures[]
  /** Requests for a host or path that no route names. */
  readonly unrouted: number
}
