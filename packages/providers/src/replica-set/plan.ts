/** Pure: what a pass does next to bring the replicas of an instance to what is wanted. */
import { orderedMoves } from './ordered.ts'
import { type ReplicaView, replicaCount, untilAvailable, type Wanted, wantedCount } from './view.ts'

export type Move = { readonly do: 'create'; readonly index: number } | { readonly do: 'leave'; readonly id: string }

export type Moves = {
  readonly moves: readonly Move[]
  /** What is still waited for; nothing left is `undefined`. */
  readonly waiting: string | undefined
  readonly afterMs: number
}

/** When nothing tells of a change, it is looked again after this. */
const lookAgainMs = 1000

/** `mayRetry`: whether a replica that failed may be made anew already. */
export function nextMoves(wanted: Wanted, replicas: readonly ReplicaView[], now: number, mayRetry: boolean): Moves {
  const moves = movesTowards(wanted, replicas, now, mayRetry)
  const settled = Math.max(0, ...staying(replicas).map((each) => untilAvailable(wanted, each, now)))
  const waiting = waitingFor(wanted, replicas, moves, settled)
  return { moves, waiting, afterMs: settled > 0 && Number.isFinite(settled) ? settled : lookAgainMs }
}

function movesTowards(wanted: Wanted, all: readonly ReplicaView[], now: number, mayRetry: boolean): Move[] {
  const want = wantedCount(wanted)
  const live = staying(all)
  if (want === 0) return live.map(leave)
  const current = live.filter(({ specHash }) => specHash === wanted.specHash)
  const old = live.filter(({ specHash }) => specHash !== wanted.specHash)
  const failed = mayRetry ? current.filter(({ failed }) => failed === 'again') : []
  if (failed.length > 0) return failed.map(leave)
  // Old and new are never side by side: what leaves must be gone, too.
  if (wanted.update.type === 'recreate' && all.some(({ specHash }) => specHash !== wanted.specHash)) {
    return old.map(leave)
  }
  if (wanted.type === 'stateful_set') return orderedMoves(wanted, all, now)
  return [...leavingNow(wanted, current, old, now).map(leave), ...creations(wanted, all, current.length)]
}

/** As many as are missing, as far as the surge allows; under a number that nothing holds, not even what leaves. */
function creations(wanted: Wanted, all: readonly ReplicaView[], current: number): Move[] {
  const want = wantedCount(wanted)
  const surge = wanted.update.type === 'rolling' ? wanted.update.maxSurge : 0
  const room = Math.min(want + surge - staying(all).length, want - current)
  const taken = new Set(all.map(({ index }) => index))
  const moves: Move[] = []
  for (let index = 0; moves.length < room; index += 1) if (!taken.has(index)) moves.push({ do: 'create', index })
  return moves
}

/**
 * Of the current ones those that are too many, of the old ones those that serve nobody, and as many of the others as can
 * be spared. An old one counts as soon as it is ready: it has served, whatever is now wanted of new ones.
 */
function leavingNow(
  wanted: Wanted,
  current: readonly ReplicaView[],
  old: readonly ReplicaView[],
  now: number,
): ReplicaView[] {
  const want = wantedCount(wanted)
  const surplus = [...current].sort(firstToGo).slice(0, Math.max(0, current.length - want))
  const kept = current.filter((each) => !surplus.includes(each))
  const idle = old.filter(({ ready }) => ready === false)
  const serving = old.filter(({ ready }) => ready !== false).sort(firstToGo)
  const available = kept.filter((each) => untilAvailable(wanted, each, now) === 0).length
  const counted = available + serving.filter(({ ready }) => ready).length
  const allowed = wanted.update.type === 'rolling' ? wanted.update.maxUnavailable : want
  const spare = Math.max(0, counted - (want - allowed))
  return [...idle, ...serving.slice(0, spare), ...surplus]
}

/** What serves least, and of equals the highest number. */
function firstToGo(left: ReplicaView, right: ReplicaView): number {
  return rank(left) - rank(right) || right.index - left.index
}

const rank = ({ ready }: ReplicaView): number => (ready === false ? 0 : ready === undefined ? 1 : 2)

/** As it is once the moves were made: a pass that says what the next one would says it once. */
function waitingFor(
  wanted: Wanted,
  all: readonly ReplicaView[],
  moves: readonly Move[],
  settled: number,
): string | undefined {
  const created = moves.filter((move) => move.do === 'create').length
  const live = staying(all)
  const want = wantedCount(wanted)
  const leaving = all.length - live.length
  const others = live.filter(({ specHash }) => specHash !== wanted.specHash).length
  if (want === 0 && all.length > 0) return `${replicaCount(all.length)} to end`
  if (others > 0) return `${replicaCount(others)} of another release to give way`
  const there = live.length + created
  if (moves.length > created || there !== want) return `${replicaCount(want)} to be there (${there} so far)`
  if (created > 0 || settled === Number.POSITIVE_INFINITY) return 'replicas to become ready'
  if (settled > 0) return `replicas to stay ready for ${wanted.update.minReadySeconds} s`
  return leaving > 0 ? `${replicaCount(leaving)} to end` : undefined
}

const staying = (replicas: readonly ReplicaView[]): ReplicaView[] => replicas.filter(({ leaving }) => !leaving)

const leave = ({ id }: ReplicaView): Move => ({ do: 'leave', id })
