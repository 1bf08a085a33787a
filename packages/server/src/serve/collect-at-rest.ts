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

/** Until the returned function is called. */
export function collectAtRest({ clock, busyMs, bytes, collect }: AtRest): () => void {
  let busyBefore = busyMs()
  let bytesBefore = 0
  let stopped = false
  const look = async (): Promise<void> => {
    const busy = busyMs() - busyBefore
    if (busy <= restMs * restingPart && bytes() > bytesBefore + worthBytes) {
      await collect()
      bytesBefore = bytes()
    }
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
