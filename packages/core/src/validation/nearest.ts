/** The name that someone probably meant. */

/** The nearest of `names`, if it is near enough to be a slip of the finger: a third of the letters, or a prefix. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined
  const wanted = word.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase())
    if (
      distance <= Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3)) &&
      distance < (best?.distance ?? 99)
    ) {
      best = { name, distance }
    }
  }
  return best?.name
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
export function editDistance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + same,
          swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}
