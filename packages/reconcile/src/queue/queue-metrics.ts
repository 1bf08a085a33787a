/** What the queue can say about itself, as plain numbers: any metrics library, or none, can show them. */
import type { Durations } from './durations.ts'

export type QueueMetrics = {
  /** Keys that wait for a worker. */
  readonly depth: number
  /** Keys with a delay that has not run out. */
  readonly delayed: number
  readonly running: number
  /** How long the key that waits longest has waited; 0 if none waits. */
  readonly oldestAgeMs: number
  /** How long the longest of the running ones has been running; a worker that hangs shows here. */
  readonly longestRunningMs: number
  /** Keys that were queued; duplicates are not counted. */
  readonly queued: number
  readonly retries: number
  /** From being queued to being taken. */
  readonly latency: Durations
  /** From being taken to being done. */
  readonly work: Durations
}
