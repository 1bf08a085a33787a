/** What may go: pure, from what is there. */

export type KeptSegment = {
  readonly path: string
  readonly bytes: number
  /** When it was last written to. */
  readonly writtenAt: number
  /** Somebody appends to it, and its cursor is in it. */
  readonly isActive: boolean
}

/** Too old, or the oldest of too much. */
export function expendable(
  segments: readonly KeptSegment[],
  { maxBytes, maxAgeMs, now }: { readonly maxBytes: number; readonly maxAgeMs: number; readonly now: number },
): string[] {
  const oldestFirst = segments.toSorted((left, right) => left.writtenAt - right.writtenAt || byPath(left, right))
  let excess = segments.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes
  const going: string[] = []
  for (const { path, bytes, writtenAt, isActive } of oldestFirst) {
    if (isActive || (excess <= 0 && now - writtenAt <= maxAgeMs)) continue
    going.push(path)
    excess -= bytes
  }
  return going
}

function byPath(left: KeptSegment, right: KeptSegment): number {
  return left.path < right.path ? -1 : 1
}
