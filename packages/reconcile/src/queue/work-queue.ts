/**
 * The queue between "something may have changed" and the workers. It holds keys, never events.
 *
 * A run of a key answers everything that was asked for before the run began: adds, however many, and a delayed add that
 * has not fallen due. What is asked for during a run causes exactly one more run afterwards.
 */
import type { Call } from '@gantry/core'
import type { Priority } from './priority.ts'
import type { QueueMetrics } from './queue-metrics.ts'

/** A key that was taken. Valid until it is handed back with `done`, once. */
export interface WorkItem {
  readonly key: string
  readonly tenant: string
}

/** When to look at a key again after a run. */
export type Again = { readonly afterMs: number; readonly priority: Priority }

export interface WorkQueue {
  /**
   * Asks for a run. A key that already waits is not added twice, but moves up if this priority is higher. Ignored after
   * `close`. Positional, because this is the hot path: a duplicate costs one lookup and allocates nothing.
   */
  add(key: string, tenant?: string, priority?: Priority): void
  /** Asks for a run no sooner than `delayMs` from now. One per key: the earlier wins. A key that waits already needs none. */
  addAfter(key: string, delayMs: number, tenant?: string, priority?: Priority): void
  /** The next key, now running, or `undefined` if none waits. Never gives out a key that is still running. */
  take(): WorkItem | undefined
  /** Ends the run of a key; `again` is a delayed add and counts as a retry. Handing back twice is a fault. */
  done(item: WorkItem, again?: Again): void
  /** Called whenever a key became ready to take; one listener, which must not throw. Returns how to take it back. */
  onReady(listener: () => void): () => void
  /** No more adds; delayed ones are dropped. What waits already can still be taken. */
  close(): void
  /** Drops what waits, and says how many keys that were. Keys that run are not touched. */
  clear(): number
  /** Resolves as soon as nothing waits and nothing runs; delayed keys do not count. */
  idle(call: Call): Promise<void>
  /** Whether the key waits for a worker, is being run or will be added later. */
  has(key: string): boolean
  /** The keys that are running now. */
  runningKeys(): string[]
  /** Plain numbers, as of now. Reads every waiting key, so meant for a scrape and not for a loop. */
  metrics(): QueueMetrics
}
