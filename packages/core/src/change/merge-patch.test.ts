import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from './merge-patch.ts'

describe('a JSON merge patch', () => {
  it.each<[unknown, unknown, unknown]>([
    // The examples of RFC 7396, appendix A.
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j by %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result)
  })

  it('does the same when it is done twice, and leaves its inputs alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const before = structuredClone([target, patch])
        const once = mergePatch(target, patch)
        expect(mergePatch(once, patch)).toEqual(once)
        expect([target, patch]).toEqual(before)
      }),
    )
  })

  it('cannot reach a prototype', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__": {"polluted": 1}}'))
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
