import { faces } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { chosen } from './chosen.ts'
import { onlyOne } from './only-one.ts'
import { targetsOf } from './targets.ts'

const said = (line: string) =>
  targetsOf(line.split(' ')).map(({ face, names }) => `${face.kind}: ${names.join(' ')}`.trimEnd())

describe('the objects that words mean', () => {
  it.each([
    ['workloads', ['Workload:']],
    ['WL', ['Workload:']],
    ['workload web', ['Workload: web']],
    ['wl web api web', ['Workload: web api']],
    ['wl,rt', ['Workload:', 'Route:']],
    ['wl,rt shop', ['Workload: shop', 'Route: shop']],
    ['workload/web', ['Workload: web']],
    ['workload/web route/shop wl/api wl/web', ['Workload: web api', 'Route: shop']],
  ])('%s', (line, meant) => {
    expect(said(line)).toEqual(meant)
  })

  it.each(faces.flatMap(({ kind, plural, short }) => [kind, plural, short].map((word) => [word, kind] as const)))(
    'knows %s as %s',
    (word, kind) => {
      expect(said(word)).toEqual([`${kind}:`])
    },
  )

  it.each([
    ['worklods', 'did you mean "workloads"?'],
    ['xyzzy', 'there are tenants, providers'],
    ['', 'There is no kind ""'],
    ['workload web/x', 'write either "workload NAME" or "KIND/NAME" everywhere'],
    ['workload/', '"workload/" is no object'],
    ['/web', '"/web" is no object'],
    ['workload/a/b', 'is no object'],
    ['workload/web api', '"api" is no object'],
  ])('refuses %j', (line, text) => {
    expect(() => said(line)).toThrow(text)
  })
})

describe('what is changed', () => {
  const choice = { words: ['wl'], all: false, line: 'gantry delete' }
  it('is all of a kind only for who says so', () => {
    expect(() => chosen(choice)).toThrow('Write "gantry delete workload/NAME", or choose with -l LABELS or --all')
    expect(chosen({ ...choice, all: true })).toHaveLength(1)
    expect(chosen({ ...choice, selector: 'a=b' })).toHaveLength(1)
  })

  it('is either named or chosen', () => {
    expect(() => chosen({ ...choice, words: ['wl/a'], all: true })).toThrow('leave one out')
    expect(() => chosen({ ...choice, words: ['wl/a'], selector: 'a=b' })).toThrow('leave one out')
    expect(() => chosen({ ...choice, all: true, selector: 'a=b' })).toThrow('leave one out')
  })

  it('is one where only one will do', () => {
    expect(onlyOne(['wl', 'web'], 'gantry edit')).toMatchObject({ name: 'web', face: { kind: 'Workload' } })
    for (const words of [['wl'], ['wl', 'a', 'b'], ['wl/a', 'rt/b']]) {
      expect(() => onlyOne(words, 'gantry edit')).toThrow('write "gantry edit workload/NAME"')
    }
  })
})
