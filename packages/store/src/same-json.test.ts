import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameJson } from './same-json.ts'

describe('comparing as JSON', () => {
  it('agrees with what would be stored', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameJson(value, JSON.parse(JSON.stringify(value)))).toBe(true)
      }),
    )
  })

  it('sees any difference that storing would show', () => {
    const reordered = (value: unknown): unknown =>
      JSON.stringify(value, (_, part: unknown) =>
        typeof part === 'object' && part !== null && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
          : part,
      )
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(sameJson(a, b)).toBe(reordered(a) === reordered(b))
      }),
    )
  })

  it('does not count the order of fields, fields that are undefined, and fields told to ignore', () => {
    expect(sameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(sameJson({ a: [{ at: 1, b: 2 }] }, { a: [{ at: 9, b: 2 }] }, new Set(['at']))).toBe(true)
    expect(sameJson({ a: [{ at: 1, b: 2 }] }, { a: [{ at: 9, b: 3 }] }, new Set(['at']))).toBe(false)
  })

  it('compares what a value says of itself, as storing does', () => {
    expect(sameJson(new Date(0), '1970-01-01T00:00:00.000Z')).toBe(true)
    expect(sameJson([undefined, Number.NaN], [null, null])).toBe(true)
  })

  it('does not take an inherited field for an own one', () => {
    expect(sameJson({ toString: 1 }, { other: 1 })).toBe(false)
    expect(sameJson(JSON.parse('{"__proto__": 1}'), {})).toBe(false)
  })
})
