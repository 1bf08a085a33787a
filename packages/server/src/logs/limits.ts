/** How much is kept of each workload's logs, and how they are cut up. */
export type LogLimits = {
  /** Of all lines of a workload together; the oldest go first. */
  readonly workloadBytes: number
  readonly maxAgeMs: number
  /** A segment is finished at this size, or earlier where a workload has many sources; only finished ones can go. */
  readonly segmentBytes: number
  /** A block is whole when it has about so many characters: what a reader holds of each source. */
  readonly blockChars: number
  /** Blocks are written when there are so many bytes of them, since each write is several calls … */
  readonly writeBytes: number
  /** … or when the first line of them has waited so long. */
  readonly flushMs: number
  /** A longer line is kept in pieces. */
  readonly lineChars: number
  /** How long a line is held back that may end with the beginning of a secret. */
  readonly holdMs: number
  /** How often the age of what is kept is looked at. */
  readonly sweepMs: number
}

export const logLimits: LogLimits = {
  workloadBytes: 64 * 2 ** 20,
  maxAgeMs: 7 * 24 * 3600 * 1000,
  segmentBytes: 4 * 2 ** 20,
  blockChars: 64 * 1024,
  writeBytes: 128 * 1024,
  flushMs: 50,
  lineChars: 64 * 1024,
  holdMs: 500,
  sweepMs: 10 * 60 * 1000,
}

/** Smaller than this a file is not worth its name. */
const smallestSegment = 64 * 1024

/** So that what cannot be removed yet, the newest segment of each source, is a part of the whole only. */
export function segmentLimit({ workloadBytes, segmentBytes }: LogLimits, sources: number): number {
  return Math.max(smallestSegment, Math.min(segmentBytes, Math.floor(workloadBytes / (4 * Math.max(1, sources)))))
}
