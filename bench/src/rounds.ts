/** Alternating rounds: ours and the peer take turns, so that a machine that slows down slows both. */
import type { BenchContext, Better, Row, Spread } from './bench.ts'

/** One round of a measurement; answers the figure in the bench's unit. */
export type Measure = (round: number) => Promise<number> | number

export type Peer =
  | { readonly name: string; readonly run: Measure }
  | { readonly name: string; readonly missing: string }

export type Contest = {
  readonly case: string
  readonly better: Better
  readonly ours: Measure
  readonly peer: Peer
  readonly reach: number
}

/** Measures both sides `rounds` times in turn and compares the medians. The first turn of each is thrown away. */
export async function contest(
  context: BenchContext,
  { case: title, better, ours, peer, reach }: Contest,
): Promise<Row> {
  const mine: number[] = []
  const theirs: number[] = []
  const available = 'run' in peer
  for (let round = -1; round < context.rounds; round++) {
    context.signal.throwIfAborted()
    const [first, second] = [await ours(round), available ? await peer.run(round) : Number.NaN]
    if (round < 0) continue
    mine.push(first)
    theirs.push(second)
    context.say(
      `${title}: round ${round + 1} of ${context.rounds}, ours ${plain(first)}, ${peer.name} ${plain(second)}`,
    )
  }
  if (available) return compared({ case: title, better, reach, ours: mine, peer: theirs, peerName: peer.name })
  return {
    case: title,
    ours: median(mine),
    peerName: peer.name,
    reach,
    rounds: context.rounds,
    peer: null,
    ratio: null,
    missing: peer.missing,
    spread: { ours: spread(mine), peer: null },
    reached: false,
  }
}

export type Comparison = Pick<Contest, 'case' | 'better' | 'reach'> & {
  /** By round, as those of the peer. */
  readonly ours: readonly number[]
  readonly peer: readonly number[]
  readonly peerName: string
}

/** Pure: figures of rounds that were played already. */
export function compared({ case: title, better, reach, ours, peer, peerName }: Comparison): Row {
  const [mine, theirs] = [median(ours), median(peer)]
  const ratio = mine / theirs
  return {
    case: title,
    ours: mine,
    peer: theirs,
    peerName,
    ratio,
    reach,
    rounds: ours.length,
    spread: { ours: spread(ours), peer: spread(peer) },
    reached: better === 'higher' ? ratio >= reach : ratio <= reach,
  }
}

/** A row that is held to a limit instead of a peer: at most that, or at least that where higher is better. */
export function limited(title: string, better: Better, figures: readonly number[], limit: number): Row {
  const ours = median(figures)
  const reached = better === 'higher' ? ours >= limit : ours <= limit
  const nobody = { peer: null, peerName: null, ratio: null }
  return {
    case: title,
    ours,
    ...nobody,
    limit,
    rounds: figures.length,
    spread: { ours: spread(figures), peer: null },
    reached,
  }
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

function spread(figures: readonly number[]): Spread {
  return [Math.min(...figures), Math.max(...figures)]
}

/** Three significant digits, with separators: what a person reads. */
export function plain(figure: number): string {
  if (Number.isNaN(figure)) return 'missing'
  return Number(figure.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 })
}
