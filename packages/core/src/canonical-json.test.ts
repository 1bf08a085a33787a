import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { hashOf, sha256Hex } from './hash.ts'
import { Secret } from './secret.ts'

describe('canonical JSON', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [2, { d: null, c: 'x' }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
    [{ a: undefined }, '{}'],
    [[undefined], '[null]'],
    ['"\n', '"\\"\\n"'],
    [-0, '0'],
    [1e21, '1e+21'],
    [{ 10: 'x', 9: 'y' }, '{"10":"x","9":"y"}'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  it('is JSON, and says the same for equal values whatever the order of their keys', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, reversed(item)]),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(canonicalJson(reversed(value))).toBe(text)
        // Zero has no sign in JSON.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it.each<[string, unknown]>([
    ['a secret, which would look like every other', { a: new Secret('x') }],
    ['not a number', Number.NaN],
    ['infinity', [Number.POSITIVE_INFINITY]],
    ['a big integer', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ kind: 'internal' }))
  })
})

describe('a hash', () => {
  it('is SHA-256, as everyone else computes it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.string({ unit: 'grapheme' })), (data) => {
        expect(sha256Hex(data)).toBe(createHash('sha256').update(data).digest('hex'))
      }),
    )
  })

  it('is the same for equal values, and another for others', () => {
    expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }))
    expect(hashOf({ a: 1 })).not.toBe(hashOf({ a: '1' }))
    expect(hashOf(['ab', 'c'])).not.toBe(hashOf(['a', 'bc']))
  })
})
