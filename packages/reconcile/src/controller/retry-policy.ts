/** Pure: when a key is looked at again, from how its passes ended so far. */
import { isFault } from '@gantry/core'
import { type Leaf, leavesOf, type Result } from '../results/result.ts'
import { isStuck } from '../results/stuck.ts'

export type RetryPolicy = {
  /** Yields: from the first delay, doubling to the last, and back to the first whenever there was progress. */
  readonly yieldMs: readonly [first: number, last: number]
  /** Transient faults: the same, jittered down to half. */
  readonly faultMs: readonly [first: number, last: number]
  /** So many conflicts in a row are answered by reading again at once; from then on they are faults like others. */
  readonly conflictsAtOnce: number
  /** A key that waits for longer than this is shown as stuck … */
  readonly stuckAfterMs: number
  /** … and looked at this often. */
  readonly stuckMs: number
}

export const defaultRetryPolicy: RetryPolicy = {
  yieldMs: [250, 10_000],
  faultMs: [5, 300_000],
  conflictsAtOnce: 5,
  stuckAfterMs: 600_000,
  stuckMs: 60_000,
}

/** What is remembered of a key between its passes. */
export type Memory = {
  readonly failures: number
  readonly conflicts: number
  readonly yields: number
  /** What the last pass waited for; a difference is progress. */
  readonly waitedFor: string
  /** On the monotonic clock; undefined while it does not wait. */
  readonly waitingSince: number | undefined
}

export const freshMemory: Memory = { failures: 0, conflicts: 0, yields: 0, waitedFor: '', waitingSince: undefined }

export type Visit =
  | { readonly next: 'after'; readonly afterMs: number }
  /** Converged: looked at again when something changes, and at the resync. */
  | { readonly next: 'rest' }
  /** Permanently failed: as `rest`, and when something it refers to changes. */
  | { readonly next: 'parked' }

export type Moment = {
  /** On the monotonic clock. */
  readonly now: number
  /** From 0 up to 1. */
  readonly random: () => number
}

/** The next visit is at the soonest of the steps that are not permanent. */
export function nextVisit(
  memory: Memory,
  result: Result,
  policy: RetryPolicy,
  { now, random }: Moment,
): { readonly memory: Memory; readonly visit: Visit } {
  const leaves = leavesOf(result)
  const open = leaves.filter((leaf) => leaf.state === 'yield' || leaf.state === 'transient')
  if (open.length === 0) {
    const parked = leaves.some((leaf) => leaf.state === 'permanent')
    return { memory: freshMemory, visit: { next: parked ? 'parked' : 'rest' } }
  }
  const next = remember(memory, leaves, now)
  const delays = open.map((leaf) => delayOf(leaf, next, policy, random))
  const afterMs = isStuck(result) ? policy.stuckMs : Math.min(...delays)
  return { memory: next, visit: { next: 'after', afterMs } }
}

/** Doubles from `first` to `last`; the first time counts as 1. */
export function doubling([first, last]: readonly [number, number], times: number): number {
  return Math.min(last, first * 2 ** Math.min(times - 1, 40))
}

function remember(memory: Memory, leaves: readonly Leaf[], now: number): Memory {
  const waitedFor = fingerprint(leaves)
  const progress = waitedFor !== memory.waitedFor
  const faults = leaves.filter((leaf) => leaf.state === 'transient')
  const conflicted = faults.some((leaf) => isFault(leaf.fault, 'conflict'))
  return {
    failures: faults.length === 0 ? 0 : memory.failures + 1,
    conflicts: conflicted ? memory.conflicts + 1 : 0,
    yields: progress ? 1 : memory.yields + 1,
    waitedFor,
    waitingSince: memory.waitingSince ?? (waitedFor === '' ? undefined : now),
  }
}

function fingerprint(leaves: readonly Leaf[]): string {
  const waits = leaves.filter((leaf) => leaf.state === 'yield')
  return waits.length === 0 ? '' : JSON.stringify(waits.map(({ path, reason, progress }) => [path, reason, progress]))
}

function delayOf(leaf: Leaf, memory: Memory, policy: RetryPolicy, random: () => number): number {
  if (leaf.state === 'yield') {
    // Even a step that asks for no delay at all must not become a busy loop.
    const asked = leaf.retryAfterMs === undefined ? undefined : Math.max(leaf.retryAfterMs, policy.faultMs[0])
    return asked ?? doubling(policy.yieldMs, memory.yields)
  }
  if (leaf.state !== 'transient') return Number.POSITIVE_INFINITY
  const immediate = isFault(leaf.fault, 'conflict') && memory.conflicts <= policy.conflictsAtOnce
  if (immediate) return 0
  const backoff = doubling(policy.faultMs, memory.failures) * (1 - random() / 2)
  return Math.max(backoff, leaf.fault.retryAfterMs ?? 0)
}
