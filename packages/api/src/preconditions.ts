/** Generations as HTTP says them: the ETag of an object is its generation, so that status writes do not disturb it. */

const strong = /^"([1-9][0-9]{0,15})"$/

export function etagOf(generation: number): string {
  return `"${generation}"`
}

/** The generation that a caller wants to write over; `undefined`: the header is not one of ours. */
export function readEtag(header: string): number | undefined {
  const found = strong.exec(header.trim())
  return found ? Number(found[1]) : undefined
}
