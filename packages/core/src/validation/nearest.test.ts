import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

describe('the nearest name', () => {
  const names = ['replicas', 'services', 'strategy', 'provider', 'type', 'run', 'healthCheck']

  it.each([
    ['replica', 'replicas'],
    ['Replicas', 'replicas'],
    ['relpicas', 'replicas'],
    ['stratgey', 'strategy'],
    ['healthcheck', 'healthCheck'],
    ['tpye', 'type'],
    ['runn', 'run'],
    ['colour', undefined],
    ['x', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('to %s is %s', (word, expected) => {
    expect(nearest(word, names)).toBe(expected)
  })

  it('is the nearest of several that are near', () => {
    expect(nearest('runs', ['runner', 'run', 'rungs'])).toBe('run')
    expect(nearest('runs', ['run', 'runner'])).toBe('run')
  })

  it('is none where there are none', () => {
    expect(nearest('a', [])).toBeUndefined()
  })
})

describe('the distance between two words', () => {
  it.each([
    ['', '', 0],
    ['a', '', 1],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
  ])('of %s and %s is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
  })

  it('is the same there and back, zero for the same word only, and never longer than the longer word', () => {
    const word = fc.stringMatching(/^[abc]{0,8}$/)
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right)
        expect(distance).toBe(editDistance(right, left))
        expect(distance === 0).toBe(left === right)
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length))
      }),
    )
  })
})
