import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diff } from './diff.ts'
import { merge3, type Revert } from './merge3.ts'

type Row = [what: string, last: unknown, file: unknown, live: unknown, merged: unknown, reverts: Revert[]]

describe('a three-way merge', () => {
  it.each<Row>([
    ['nothing was done', { a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }, []],
    ['the file changed', { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }, []],
    ['the file has something new', { a: 1 }, { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }, []],
    ['the file has something no more', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }, { a: 1 }, []],
    ['an action set what the file never had', { a: 1 }, { a: 2 }, { a: 1, replicas: 5 }, { a: 2, replicas: 5 }, []],
    [
      'an action changed what the file has',
      { replicas: 2 },
      { replicas: 2 },
      { replicas: 5 },
      { replicas: 2 },
      [{ path: 'replicas', from: 5, to: 2 }],
    ],
    ['an action and the file did the same', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }, []],
    ['an action changed what the file has no more', { a: 1 }, {}, { a: 5 }, {}, [{ path: 'a', from: 5 }]],
    ['an action removed what the file has', { a: 1 }, { a: 1 }, {}, { a: 1 }, [{ path: 'a', to: 1 }]],
    ['an action removed what the file has no more', { a: 1 }, {}, {}, {}, []],
    [
      'an action set what the file has now',
      {},
      { replicas: 2 },
      { replicas: 5 },
      { replicas: 2 },
      [{ path: 'replicas', from: 5, to: 2 }],
    ],
    ['it was never applied', undefined, { a: 1 }, { b: 2 }, { a: 1, b: 2 }, []],
    ['it is not there yet', undefined, { a: 1 }, undefined, { a: 1 }, []],
    ['inside objects', { o: { a: 1, b: 1 } }, { o: { a: 2 } }, { o: { a: 1, b: 1, c: 1 } }, { o: { a: 2, c: 1 } }, []],
    ['an object went from the file', { o: { a: 1 } }, {}, { o: { a: 1 } }, {}, []],
    ['an object went, but not what an action put in', { o: { a: 1 } }, {}, { o: { a: 1, b: 2 } }, { o: { b: 2 } }, []],
    ['a key that every object inherits', { e: {} }, { e: {} }, { e: { toString: 'x' } }, { e: { toString: 'x' } }, []],
    ['a list of texts is one thing', { c: ['a'] }, { c: ['a', 'b'] }, { c: ['a'] }, { c: ['a', 'b'] }, []],
    [
      'a list of texts that an action changed',
      { c: ['a'] },
      { c: ['a'] },
      { c: ['x'] },
      { c: ['a'] },
      [{ path: 'c', from: ['x'], to: ['a'] }],
    ],
    [
      'a list without names that an action added to',
      { d: [] },
      { d: [] },
      { d: [{ k: 1 }] },
      { d: [] },
      [{ path: 'd', from: [{ k: 1 }], to: [] }],
    ],
    [
      'defaults filled in beside are nobody’s change',
      { d: [{ k: 1 }] },
      { d: [{ k: 2 }] },
      { d: [{ k: 1, more: 0 }] },
      { d: [{ k: 2 }] },
      [],
    ],
  ])('%s', (_, last, file, live, merged, reverts) => {
    expect(merge3(last, file, live)).toEqual({ value: merged, reverts })
  })

  const web = (image: string, more: object = {}) => ({ name: 'web', image, ...more })
  const log = { name: 'log', image: 'log:1' }

  it.each<Row>([
    ['by name', [web('1'), log], [log, web('2')], [web('1', { cpu: 1 }), log], [log, web('2', { cpu: 1 })], []],
    ['one less in the file', [web('1'), log], [web('1')], [web('1'), log], [web('1')], []],
    ['one more by an action', [web('1')], [web('2')], [web('1'), log], [web('2'), log], []],
    [
      'one less that an action changed',
      [web('1'), log],
      [web('1')],
      [web('1'), { ...log, image: 'x' }],
      [web('1')],
      [{ path: 's[log]', from: { ...log, image: 'x' } }],
    ],
    [
      'one that an action changed',
      [web('1')],
      [web('1')],
      [web('5')],
      [web('1')],
      [{ path: 's[web].image', from: '5', to: '1' }],
    ],
    [
      'one that an action removed',
      [web('1'), log],
      [web('1'), log],
      [web('1')],
      [web('1'), log],
      [{ path: 's[log]', to: log }],
    ],
  ])('of lists of named things: %s', (_, last, file, live, merged, reverts) => {
    expect(merge3({ s: last }, { s: file }, { s: live })).toEqual({ value: { s: merged }, reverts })
  })

  it('takes an object whole where it has become another thing', () => {
    const live = { strategy: { type: 'rolling', maxSurge: 1, minReadySeconds: 2 }, type: 'deployment', replicas: 4 }
    const file = { strategy: { type: 'recreate' }, type: 'stateful_set' }
    const options = { base: ['spec'], variants: ['strategy'] }
    expect(merge3({ strategy: { type: 'rolling' } }, file, live, options).value).toEqual({ ...file, replicas: 4 })
    const same = merge3({}, { strategy: { type: 'rolling' } }, live, options)
    expect(same).toEqual({ value: live, reverts: [] })
  })

  it('tells paths from where it is told to begin', () => {
    expect(merge3({ a: 1 }, { a: 1 }, { a: 2 }, { base: ['spec'] }).reverts).toEqual([
      { path: 'spec.a', from: 2, to: 1 },
    ])
  })

  const named = fc.uniqueArray(
    fc.record(
      { name: fc.constantFrom('x', 'y', 'z'), v: fc.nat(2), w: fc.nat(2) },
      { requiredKeys: ['name'], noNullPrototype: true },
    ),
    { selector: ({ name }) => name },
  )
  const object = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'toString', '__proto__'),
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), named),
    {
      noNullPrototype: true,
    },
  )

  it('gives the file where nobody else did anything', () => {
    fc.assert(
      fc.property(object, object, (last, file) => {
        const { value, reverts } = merge3(last, file, last)
        expect(diff(value, file)).toEqual([])
        expect(reverts).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('changes and reverts nothing when it is done again', () => {
    fc.assert(
      fc.property(object, object, object, (last, file, live) => {
        const once = merge3(last, file, live)
        const again = merge3(file, file, once.value)
        expect(diff(again.value, once.value)).toEqual([])
        expect(again.reverts).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('keeps every field that the file never had', () => {
    fc.assert(
      fc.property(object, object, object, (last, file, live) => {
        const value = merge3(last, file, live).value as Record<string, unknown>
        for (const key of Object.keys(live)) {
          if (Object.hasOwn(last, key) || Object.hasOwn(file, key)) continue
          expect(Object.getOwnPropertyDescriptor(value, key)?.value).toEqual(
            Object.getOwnPropertyDescriptor(live, key)?.value,
          )
        }
      }),
    )
  })

  it('does not change what it was given', () => {
    fc.assert(
      fc.property(object, object, object, (last, file, live) => {
        const before = structuredClone([last, file, live])
        merge3(last, file, live)
        expect([last, file, live]).toEqual(before)
      }),
      { numRuns: 50 },
    )
  })
})
