/** A line as it is kept: without what its source already tells. */
export type StoredLog = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly stream: 'stdout' | 'stderr' | 'gap'
  /** The line; of a gap, why lines are missing. */
  readonly text: string
}
