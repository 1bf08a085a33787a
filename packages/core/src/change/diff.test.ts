import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secret } from '../secret.ts'
import { type Change, diff } from './diff.ts'

const web = { name: 'web', image: 'app:1' }
const log = { name: 'log', image: 'log:1' }

describe('the difference between two values', () => {
  it.each<[string, unknown, unknown, Change[]]>([
    ['none', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['none but the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['none between undefined and absent', { a: undefined }, {}, []],
    ['a new field', {}, { a: { b: 1 } }, [{ path: 'a', op: 'add', new: { b: 1 } }]],
    ['a field less', { a: 1 }, {}, [{ path: 'a', op: 'remove', old: 1 }]],
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: 'a.b', op: 'replace', old: 1, new: 2 }]],
    ['another type', { a: 1 }, { a: [1] }, [{ path: 'a', op: 'replace', old: 1, new: [1] }]],
    ['null for nothing', {}, { a: null }, [{ path: 'a', op: 'add', new: null }]],
    ['a key that every object inherits', {}, { toString: 'x' }, [{ path: 'toString', op: 'add', new: 'x' }]],
    [
      'a command line, as one thing',
      { c: ['a', 'b'] },
      { c: ['a', 'c'] },
      [{ path: 'c', op: 'replace', old: ['a', 'b'], new: ['a', 'c'] }],
    ],
    [
      'things without names, by place',
      { d: [{ k: 1 }, { k: 2 }] },
      { d: [{ k: 1 }] },
      [{ path: 'd[1]', op: 'remove', old: { k: 2 } }],
    ],
    [
      'named things, by name',
      { services: [web, log] },
      { services: [log, { ...web, image: 'app:2' }] },
      [
        { path: 'services[web].image', op: 'replace', old: 'app:1', new: 'app:2' },
        { path: 'services', op: 'reorder', old: ['web', 'log'], new: ['log', 'web'] },
      ],
    ],
    ['a named thing more, in front', { s: [web] }, { s: [log, web] }, [{ path: 's[log]', op: 'add', new: log }]],
    ['a named thing less', { s: [web, log] }, { s: [log] }, [{ path: 's[web]', op: 'remove', old: web }]],
    ['the first named thing', { s: [] }, { s: [web] }, [{ path: 's[web]', op: 'add', new: web }]],
    [
      'names that are not unique, by place',
      { s: [web, web] },
      { s: [web, { ...web, image: 'x' }] },
      [{ path: 's[1].image', op: 'replace', old: 'app:1', new: 'x' }],
    ],
    ['all of it', 1, 2, [{ path: '', op: 'replace', old: 1, new: 2 }]],
  ])('%s', (_, before, after, changes) => {
    expect(diff(before, after)).toEqual(changes)
  })

  it('begins where it is told to', () => {
    expect(diff({ a: 1 }, { a: 2 }, ['spec'])).toEqual([{ path: 'spec.a', op: 'replace', old: 1, new: 2 }])
  })

  it('shows that a secret changed, and never the secret', () => {
    const changes = diff(
      { a: new Secret('one'), b: new Secret('same'), c: 'plain', d: [{ e: new Secret('in a list') }] },
      { a: new Secret('two'), b: new Secret('same'), c: new Secret('plain'), f: { g: new Secret('new') } },
    )
    expect(changes).toEqual([
      { path: 'a', op: 'replace', old: '[secret]', new: '[secret]' },
      { path: 'c', op: 'replace', old: 'plain', new: '[secret]' },
      { path: 'd', op: 'remove', old: [{ e: '[secret]' }] },
      { path: 'f', op: 'add', new: { g: '[secret]' } },
    ])
  })

  it('sees a secret change also in a list of other things', () => {
    const list = (secret: string) => ({ a: ['text', new Secret(secret)] })
    expect(diff(list('one'), list('one'))).toEqual([])
    expect(diff(list('one'), list('two'))).toEqual([
      { path: 'a', op: 'replace', old: ['text', '[secret]'], new: ['text', '[secret]'] },
    ])
  })

  it('is empty exactly for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(diff(left, structuredClone(left))).toEqual([])
        const same = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
        expect(diff(left, right).length === 0).toBe(same)
      }),
      { numRuns: 500 },
    )
  })

  it('is the same both ways, with old and new exchanged', () => {
    const opposite = { add: 'remove', remove: 'add', replace: 'replace', reorder: 'reorder' } as const
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const there = diff(left, right).map(({ path, op }) => `${opposite[op]} ${path}`)
        const back = diff(right, left).map(({ path, op }) => `${op} ${path}`)
        expect(there.toSorted()).toEqual(back.toSorted())
      }),
    )
  })
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
