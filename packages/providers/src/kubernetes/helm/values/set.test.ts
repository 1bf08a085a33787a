import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { mergedValues, setValues, typed } from './set.ts'

describe('values that are set by path', () => {
  it.each([
    ['a path', { 'image.tag': '1.2' }, { image: { tag: '1.2' } }],
    [
      'a word that is a number',
      { replicas: '3', zero: '0', code: '012', below: '-4' },
      { replicas: 3, zero: 0, code: '012', below: -4 },
    ],
    ['words that are no text', { a: 'true', b: 'False', c: 'null' }, { a: true, b: false, c: null }],
    ['a list of words', { a: '{x,2,true}', b: '{}' }, { a: ['x', 2, true], b: [] }],
    [
      'a dot within a name',
      { 'nodeSelector.kubernetes\\.io/role': 'web' },
      { nodeSelector: { 'kubernetes.io/role': 'web' } },
    ],
    ['a comma is part of its value', { a: 'x,y' }, { a: 'x,y' }],
    ['what is escaped is text', { a: '\\3' }, { a: '3' }],
    ['a number too large to be one', { a: '12345678901234567890' }, { a: '12345678901234567890' }],
  ])('%s', (_title, set, expected) => {
    expect(setValues({ base: 1 }, set)).toEqual(expected)
  })

  it('carries a list whole where it reaches into one, with what the files have of it', () => {
    const base = { hosts: [{ name: 'a', port: 1 }, { name: 'b' }], other: 1 }
    expect(setValues(base, { 'hosts[0].port': '2', 'hosts[3].name': 'd' })).toEqual({
      hosts: [{ name: 'a', port: 2 }, { name: 'b' }, null, { name: 'd' }],
      other: 1,
    })
    expect(base.hosts[0]?.port).toBe(1)
  })

  it.each(['', 'a.', '.a', 'a..b', 'a[x]', 'a[1', '[0]', 'a[0]b', 'a[99999999]'])('the path %j is refused', (path) => {
    expect(() => setValues({}, { [path]: '1' })).toThrow(expect.toSatisfy((error) => isFault(error, 'invalid')))
  })

  it('reads one value as Helm does', () => {
    expect(typed('{a\\,b,c}')).toEqual(['a,b', 'c'])
  })

  it('merges maps by key, and nothing else', () => {
    expect(mergedValues({ a: { x: 1, y: [1] }, b: 1 }, { a: { y: [2] }, c: null })).toEqual({
      a: { x: 1, y: [2] },
      b: 1,
      c: null,
    })
  })
})
