/**
 * V8 collects when somebody allocates, so a server that rests after a busy time would keep what that took: half of its
 * memory, for as long as nobody asks. When it rests, and holds much more than after the last collection, it is collected.
 */
import type { Clock } from '@gantry/core'

export type AtRest = {
  readonly clock: Clock
  /** How long the event loop was busy so far, on any clock of milliseconds. */
  readonly busyMs: () => number
  /** What the process holds. */
  readonly bytes: () => number
  /** Collects; takes as long as a tenth of a second, which is why nobody may be waiting. */
  readonly collect: () => Promise<void>
}

/** So long it must have rested … */
export const restMs = 10_000
/** … which means busy for no more than this part of it … */
const restingPart = 0.05
/** … and so much more must it hold than the last time: anything less is not worth a pause. */
export const worthBytes = 8_000_000
/** After so many more rests it is collected again: what was kept for a moment, such as for slow readers, is gone by then. */
export const restsToSecond = 2

/** Until the returned function is called. */
export function collectAtRest({ clock, busyMs, bytes, collect }: AtRest): () => void {
  let busyBefore = busyMs()
  let bytesBefore = 0
  let untilSecond = 0
  let stopped = false
  const rested = async (): Promise<void> => {
    const isFirst = bytes() > bytesBefore + worthBytes
    if (!isFirst && untilSecond === 0) return
    untilSecond = isFirst ? restsToSecond : untilSecond - 1
    if (!isFirst && untilSecond > 0) return
    await collect()
    bytesBefore = bytes()
  }
  const look = async (): Promise<void> => {
    if (busyMs() - busyBefore <= restMs * restingPart) await rested()
    // The collection itself is not work.
    busyBefore = busyMs()
    if (!stopped) cancel = clock.after(restMs, () => void look())
  }
  let cancel = clock.after(restMs, () => void look())
  return () => {
    stopped = true
    cancel()
  }
}
