/** Pure: what a pass does next to bring the replicas of an instance to what is desired. */
import type { Desired } from '../desired.ts'

export type ReplicaView = {
  readonly id: string
  readonly index: number
  readonly specHash: string
  readonly terminating: boolean
  readonly failed: 'again' | 'final' | undefined
  readonly readySince: number | undefined
}

export type Move = { readonly do: 'create'; readonly index: number } | { readonly do: 'end'; readonly id: string }

export type Moves = {
  readonly moves: readonly Move[]
  /** What is still waited for; nothing left is `undefined`. */
  readonly waiting: string | undefined
  readonly afterMs: number
}

/** `mayRetry`: whether a replica that failed may be made anew already. */
export function nextMoves(desired: Desired, replicas: readonly ReplicaView[], now: number, mayRetry: boolean): Moves {
  const live = replicas.filter(({ terminating }) => !terminating)
  const want = desired.run === 'stopped' ? 0 : desired.replicas
  const settled = Math.max(0, ...live.map((each) => untilAvailable(desired, each, now)))
  const moves = movesTowards(desired, live, replicas, want, now, mayRetry)
  const waiting = waitingFor(desired, replicas, live, want, moves.length, settled)
  return { moves, waiting, afterMs: settled > 0 && Number.isFinite(settled) ? settled : 1000 }
}

function movesTowards(
  desired: Desired,
  live: readonly ReplicaView[],
  all: readonly ReplicaView[],
  want: number,
  now: number,
  mayRetry: boolean,
): Move[] {
  const current = live.filter(({ specHash }) => specHash === desired.specHash)
  const old = live.filter(({ specHash }) => specHash !== desired.specHash)
  const failed = mayRetry ? current.filter(({ failed }) => failed === 'again').map(end) : []
  if (failed.length > 0) return failed
  const surplus = [...current]
    .sort((left, right) => right.index - left.index)
    .slice(0, Math.max(0, current.length - want))
  if (want === 0) return live.map(end)
  if (desired.update.type === 'recreate' && old.length > 0) return old.map(end)
  if (desired.type === 'stateful_set') return orderedMoves(desired, current, old, all, want, now)
  const surge = desired.update.type === 'rolling' ? desired.update.maxSurge : 0
  const unavailable = desired.update.type === 'rolling' ? desired.update.maxUnavailable : want
  const room = want + surge - live.length
  const creations = freeIndexes(all, Math.max(0, Math.min(room, want - current.length)))
  const available = live.filter((each) => untilAvailable(desired, each, now) === 0)
  const idle = old.filter((each) => !available.includes(each))
  const spare = Math.max(0, available.length - (want - unavailable))
  const leaving = old.filter((each) => available.includes(each)).slice(0, spare)
  return [...[...idle, ...leaving, ...surplus].map(end), ...creations]
}

/** One at a time: new ones from the lowest up, replacements from the highest down. */
function orderedMoves(
  desired: Desired,
  current: readonly ReplicaView[],
  old: readonly ReplicaView[],
  all: readonly ReplicaView[],
  want: number,
  now: number,
): Move[] {
  const beyond = [...current, ...old].filter(({ index }) => index >= want)
  if (beyond.length > 0) return beyond.map(end)
  if (all.some(({ terminating }) => terminating)) return []
  const taken = new Set(all.map(({ index }) => index))
  const missing = Array.from({ length: want }, (_, index) => index).filter((index) => !taken.has(index))
  const steady = current.every((each) => untilAvailable(desired, each, now) === 0)
  const [next] = missing
  if (next !== undefined) return steady ? [{ do: 'create', index: next }] : []
  const [highest] = [...old].sort((left, right) => right.index - left.index)
  return highest && steady ? [end(highest)] : []
}

function freeIndexes(all: readonly ReplicaView[], count: number): Move[] {
  const taken = new Set(all.map(({ index }) => index))
  const moves: Move[] = []
  for (let index = 0; moves.length < count; index += 1) if (!taken.has(index)) moves.push({ do: 'create', index })
  return moves
}

/** 0: has been ready for long enough. Infinite: not ready at all. */
function untilAvailable(desired: Desired, { readySince }: ReplicaView, now: number): number {
  if (readySince === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, readySince + desired.update.minReadySeconds * 1000 - now)
}

function waitingFor(
  desired: Desired,
  all: readonly ReplicaView[],
  live: readonly ReplicaView[],
  want: number,
  moves: number,
  settled: number,
): string | undefined {
  const leaving = all.length - live.length
  const others = live.filter(({ specHash }) => specHash !== desired.specHash).length
  if (others > 0) return `${replicaCount(others)} of another release to give way`
  if (moves > 0 || live.length !== want) return `${replicaCount(want)} to be there (${live.length} so far)`
  if (settled === Number.POSITIVE_INFINITY) return 'replicas to become ready'
  if (settled > 0) return `replicas to stay ready for ${desired.update.minReadySeconds} s`
  return leaving > 0 ? `${replicaCount(leaving)} to end` : undefined
}

export const replicaCount = (count: number): string => (count === 1 ? '1 replica' : `${count} replicas`)

const end = ({ id }: ReplicaView): Move => ({ do: 'end', id })
