import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivedName, derivedNameLimit } from './derived-name.ts'
import { arbitraryName } from './testing/arbitrary-fields.ts'

type Parts = [string, ...string[]]
const names = fc.array(arbitraryName, { minLength: 1, maxLength: 5 }) as fc.Arbitrary<Parts>
/** Few letters and dashes, so that joined parts are often the same text. */
const confusing = fc.array(fc.stringMatching(/^[ab](?:[-ab]{0,4}[ab])?$/), {
  minLength: 1,
  maxLength: 4,
}) as fc.Arbitrary<Parts>
const anything = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), {
  minLength: 1,
  maxLength: 4,
}) as fc.Arbitrary<Parts>

describe('a name on an engine', () => {
  it.each<[Parts, string]>([
    [['gantry'], 'gantry'],
    [['shop', 'web', 'a'], 'shop-web-a'],
  ])('is %j joined, where that can be read in one way: %s', (parts, name) => {
    expect(derivedName(...parts)).toBe(name)
  })

  it('begins with the parts in any case, so that a person knows it again', () => {
    expect(derivedName('shop', 'my-app', 'a')).toMatch(/^shop-my-app-a-x[0-9a-f]{12}$/)
  })

  it('stays what it is from version to version, or engines would be full of orphans', () => {
    expect(derivedName('shop', 'my-app', 'a')).toBe('shop-my-app-a-x739354716a93')
  })

  it('is a label of at most 52 characters, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.oneof(names, anything), (parts) => {
        const name = derivedName(...parts)
        expect(name).toMatch(/^[a-z](?:[-a-z0-9]*[a-z0-9])?$/)
        expect(name.length).toBeLessThanOrEqual(derivedNameLimit)
        expect(derivedName(...parts)).toBe(name)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['names', names],
    ['parts that join to the same text', confusing],
    ['any text', anything],
  ])('is never the same for two different things: %s', (_, parts) => {
    fc.assert(
      fc.property(fc.array(parts, { minLength: 2, maxLength: 60 }), (many) => {
        const seen = new Map<string, string>()
        for (const one of many) {
          const whose = JSON.stringify(one)
          const name = derivedName(...one)
          expect(seen.get(name) ?? whose).toBe(whose)
          seen.set(name, whose)
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each<[Parts, Parts]>([
    [
      ['a-b', 'c'],
      ['a', 'b-c'],
    ],
    [['a-b'], ['a', 'b']],
    [['a', ''], ['a']],
    [
      ['x'.repeat(40), 'y'.repeat(40), 'a'],
      ['x'.repeat(40), 'y'.repeat(40), 'b'],
    ],
  ])('tells %j from %j', (left, right) => {
    expect(derivedName(...left)).not.toBe(derivedName(...right))
  })

  it('cannot be written by someone who knows how a hash is put behind', () => {
    const made = derivedName('a-b', 'c')
    const hash = made.split('-').at(-1) ?? ''
    expect(derivedName('a', 'b', 'c', hash)).not.toBe(made)
  })
})
