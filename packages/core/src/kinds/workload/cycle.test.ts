import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCycle } from './cycle.ts'

describe('finding a circle', () => {
  it.each<[string, Record<string, string[]>, string[] | undefined]>([
    ['in nothing', {}, undefined],
    ['in a chain', { a: ['b'], b: ['c'], c: [] }, undefined],
    ['in a diamond', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, undefined],
    ['of one', { a: ['a'] }, ['a', 'a']],
    ['of two', { a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
    ['behind a tail', { a: ['b'], b: ['c'], c: ['b'] }, ['b', 'c', 'b']],
    ['beside names that are nowhere', { a: ['x'], b: ['x', 'a'] }, undefined],
  ])('%s', (_, edges, cycle) => {
    expect(findCycle(new Map(Object.entries(edges)))).toEqual(cycle)
  })

  const name = fc.constantFrom(...'abcdefgh')
  const graph = fc.dictionary(name, fc.array(name, { maxLength: 3 }), { noNullPrototype: true })

  it('gives a way along real edges that ends where it began', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const cycle = findCycle(new Map(Object.entries(edges)))
        if (!cycle) return
        expect(cycle.at(-1)).toBe(cycle[0])
        for (const [at, from] of cycle.slice(0, -1).entries()) expect(edges[from]).toContain(cycle[at + 1])
      }),
      { numRuns: 500 },
    )
  })

  it('finds none exactly when the names can be put in an order', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const left = new Map(Object.entries(edges))
        for (let moved = true; moved; ) {
          const free = [...left].filter(([, on]) => on.every((one) => !left.has(one))).map(([one]) => one)
          for (const one of free) left.delete(one)
          moved = free.length > 0
        }
        expect(findCycle(new Map(Object.entries(edges))) === undefined).toBe(left.size === 0)
      }),
      { numRuns: 500 },
    )
  })
})
