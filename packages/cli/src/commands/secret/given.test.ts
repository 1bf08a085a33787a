import { describe, expect, it } from 'vitest'
import { sourcesOf } from './given.ts'
import { withoutLineEnd } from './values.ts'

const given = (words: readonly string[], more: object = {}) =>
  sourcesOf({ words, remove: [], replace: false, fromArgs: false, ...more })

describe('a value of a secret', () => {
  it('comes from a person, a pipe, or a file', () => {
    expect(given(['a', 'b=-', 'c=@x/y'])).toEqual([
      { key: 'a', from: 'person' },
      { key: 'b', from: 'stdin' },
      { key: 'c', from: 'file', path: 'x/y' },
    ])
  })

  it('comes from the arguments only where that was asked for, and then as it is', () => {
    expect(given(['a=@b=c'], { fromArgs: true })).toEqual([{ key: 'a', from: 'args', value: '@b=c' }])
  })

  it('in the arguments is refused, with why, and without saying it again', () => {
    expect(() => given(['url=hunter2'])).toThrow(/others on this machine can see arguments/)
    expect(() => given(['url=hunter2'])).not.toThrow(/hunter2/)
  })

  it.each([
    ['nothing at all', [], {}, /Which value/],
    ['the same twice', ['a', 'a=-'], {}, /named twice/],
    ['set and removed', ['a'], { remove: ['a'] }, /named twice/],
    ['two from one pipe', ['a=-', 'b=-'], {}, /one value only/],
    ['no key', ['=x'], {}, /no key/],
    ['an empty value', ['a='], {}, /stands in the arguments/],
    ['removed while all is replaced', ['a'], { remove: ['b'], replace: true }, /says nothing more/],
  ])('that is %s is refused', (_, words, more, said) => {
    expect(() => given(words, more)).toThrow(said)
  })

  it.each([
    ['x\n', 'x'],
    ['x\r\n', 'x'],
    ['x\n\n', 'x\n'],
    ['x', 'x'],
    ['\n', ''],
  ])('%j through a pipe is %j', (came, kept) => {
    expect(withoutLineEnd(Buffer.from(came)).toString()).toBe(kept)
  })
})
