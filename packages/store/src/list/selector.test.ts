import { isFault } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everything, type Labels, marksOf, matches, parseSelector } from './selector.ts'

const rows: readonly [selector: string, labels: Labels, selected: boolean][] = [
  ['', {}, true],
  ['  ', { a: 'b' }, true],
  ['a=b', { a: 'b' }, true],
  ['a==b', { a: 'b' }, true],
  ['a=b', { a: 'c' }, false],
  ['a=b', {}, false],
  ['a=', { a: '' }, true],
  ['a!=b', { a: 'c' }, true],
  ['a!=b', {}, true],
  ['a!=b', { a: 'b' }, false],
  ['a in (x,y)', { a: 'y' }, true],
  ['a in ( x , y )', { a: 'x' }, true],
  ['a in(x,y)', { a: 'x' }, true],
  ['a in (x,y)', { a: 'z' }, false],
  ['a notin (x,y)', { a: 'z' }, true],
  ['a notin (x,y)', {}, true],
  ['a notin (x,y)', { a: 'x' }, false],
  ['a', { a: 'anything' }, true],
  ['a', { b: 'a' }, false],
  ['!a', {}, true],
  ['! a', { a: '' }, false],
  ['a=b, c', { a: 'b', c: '1' }, true],
  ['a=b, c', { a: 'b' }, false],
  ['a in (x, y), b notin (z), !c', { a: 'x', b: 'w' }, true],
  ['gantry.dev/team=web', { 'gantry.dev/team': 'web' }, true],
  ['constructor', {}, false],
  ['toString=x', {}, false],
]

describe('a label selector', () => {
  it.each(rows)('"%s" over %j selects: %s', (text, labels, selected) => {
    expect(matches(parseSelector(text), labels)).toBe(selected)
  })

  it('that is left out selects everything', () => {
    expect(parseSelector(undefined)).toBe(everything)
  })

  it.each([
    'a b',
    '=b',
    'a=b c',
    'a in x',
    'a in (x',
    'a in (x))',
    'a,,b',
    ',',
    'a in (_)',
    '!',
    'a>1',
    'a=b=c',
    'a=ü',
  ])('"%s" is refused at its path', (text) => {
    expect(() => parseSelector(text)).toThrow(
      expect.objectContaining({ reason: 'schema', issues: [expect.objectContaining({ path: 'labelSelector' })] }),
    )
  })

  it('is refused when it is very long or names very many values', () => {
    expect(() => parseSelector('a'.repeat(5000))).toThrow(/longer/)
    expect(() => parseSelector(`a in (${Array.from({ length: 65 }, (_, n) => n).join(',')})`)).toThrow(/more than/)
  })

  it('never throws anything but a refusal, and never hangs', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: fc.constantFrom(...'ab=!(),in not ') }), (text) => {
        try {
          parseSelector(text)
        } catch (error) {
          expect(isFault(error, 'invalid')).toBe(true)
        }
      }),
    )
  })

  it('asks the same of the index as of the labels', () => {
    const label = fc.constantFrom('a', 'b', 'c')
    const labels = fc.dictionary(label, fc.constantFrom('', 'x', 'y', 'z'))
    const requirement = fc.oneof(
      fc.tuple(label, fc.constantFrom('=', '!='), fc.constantFrom('', 'x', 'y')).map(([k, op, v]) => k + op + v),
      fc.tuple(label, fc.constantFrom('in', 'notin')).map(([k, op]) => `${k} ${op} (x,y)`),
      label,
      label.map((k) => `!${k}`),
    )
    fc.assert(
      fc.property(labels, fc.array(requirement, { maxLength: 4 }), (have, wanted) => {
        const selector = parseSelector(wanted.join(','))
        const marks = new Set(marksOf(have))
        const byIndex =
          selector.any.every((group) => group.some((mark) => marks.has(mark))) &&
          !selector.none.some((mark) => marks.has(mark))
        expect(byIndex).toBe(matches(selector, have))
      }),
    )
  })
})
