import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentLimits } from './limits.ts'
import { checkPlainJson } from './plain-json.ts'

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let at = 0; at < levels; at++) value = at % 2 ? [value] : { a: value }
  return value
}

describe('plain data', () => {
  it('is everything that JSON can say', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('a', 'é', '😀', '\n', '"', ' ') }), (value) => {
        expect(checkPlainJson(value)).toEqual([])
      }),
    )
  })

  it.each<[string, unknown]>([
    ['a field that is undefined, as one that is left out', { a: undefined }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['tabs and line ends', ['\t\r\n']],
    ['as deep as allowed', nested(documentLimits.depth)],
  ])('may be %s', (_, value) => {
    expect(checkPlainJson(value)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['a date', { a: new Date(0) }, 'a'],
    ['a map', { a: [new Map()] }, 'a[0]'],
    ['bytes', { a: new Uint8Array(1) }, 'a'],
    ['an object of a class', { a: new (class Thing {})() }, 'a'],
    ['a function', { a: () => 1 }, 'a'],
    ['a symbol', { a: Symbol('x') }, 'a'],
    ['a big integer', { a: 1n }, 'a'],
    ['not a number', { a: Number.NaN }, 'a'],
    ['undefined in a list', { a: [undefined] }, 'a[0]'],
    ['undefined', undefined, ''],
    ['a control character', { a: ['\u0007'] }, 'a[0]'],
    ['a delete character', { a: '\u007f' }, 'a'],
    ['a control character of the second set', { a: '\u009b' }, 'a'],
    ['half of a character', { a: 'x\udc00' }, 'a'],
    ['a control character in a key', { 'a\u0000': 1 }, '["a\\u0000"]'],
    ['its own __proto__', JSON.parse('{"a": {"__proto__": {"b": 1}}}'), 'a.__proto__'],
    ['a constructor', { constructor: 1 }, 'constructor'],
  ])('may not be %s', (_, value, path) => {
    expect(checkPlainJson(value).map((issue) => issue.path)).toEqual([path])
  })

  it('has all its faults told at once, in reading order', () => {
    const value = { b: Number.NaN, a: ['\0', 1, '\0'], constructor: 1 }
    expect(
      checkPlainJson(value)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['a[0]', 'a[2]', 'b', 'constructor'])
  })

  it.each<[string, number]>([
    ['a thousand', 1000],
    ['a million', 1_000_000],
  ])('may not be %s levels deep, and finding out does not take the stack', (_, levels) => {
    expect(checkPlainJson(nested(levels))).toEqual([
      { path: expect.any(String), message: `is nested more than ${documentLimits.depth} deep` },
    ])
  })

  it('may not go round in circles, however many ways there are round', () => {
    const circle: Record<string, unknown> = {}
    Object.assign(circle, { a: circle, b: [circle, circle] })
    const messages = checkPlainJson(circle).map(({ message }) => message)
    expect(messages).not.toEqual([])
    expect(messages.every((message) => /more than/.test(message))).toBe(true)
  })

  it('may not have more values than allowed', () => {
    expect(checkPlainJson(Array.from({ length: documentLimits.values }, () => 0))).toHaveLength(1)
  })
})
