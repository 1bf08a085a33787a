/** Chance that comes back: the same seed gives the same sequence everywhere. */

export type Random = {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `below`. */
  below(below: number): number
  /** One of several. */
  pick<T>(items: readonly T[]): T
  /** True this often. */
  chance(of: number): boolean
}

export function randomFrom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  const pick = <T>(items: readonly T[]): T => {
    const one = items[below(items.length)]
    if (one === undefined) throw new Error('there is nothing to pick from')
    return one
  }
  return { next, below, pick, chance: (of) => next() < of }
}
