import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkName, isName, labelKeyPattern, labelValuePattern, portNamePattern } from './names.ts'
import { arbitraryName } from './testing/arbitrary-fields.ts'

describe('a name', () => {
  it.each(['a', 'web', 'my-app', 'a1', 'a--b', 'x'.repeat(40)])('may be %s', (name) => {
    expect(checkName(name)).toBe(name)
  })

  it.each([
    '',
    '-a',
    'a-',
    '1a',
    'A',
    'a_b',
    'a.b',
    'a b',
    'a\n',
    'ä',
    '../etc',
    'a/b',
    'x'.repeat(41),
    'a\u0000',
    '__proto__',
    'xn--0',
    'xn--bcher-kva',
    'а', // the Cyrillic letter that looks like a
  ])('may not be %j', (name) => {
    expect(isName(name)).toBe(false)
    expect(() => checkName(name, 'The tenant')).toThrow(
      expect.objectContaining({ reason: 'bad_name', message: expect.stringContaining('The tenant') }),
    )
  })

  it('is a DNS label that every engine takes', () => {
    fc.assert(
      fc.property(arbitraryName, (name) => {
        expect(isName(name)).toBe(true)
        expect(name).toMatch(/^[a-z][a-z0-9-]*$/)
        expect(name.length).toBeLessThanOrEqual(40)
        expect(new URL(`http://${name}.localhost/`).hostname).toBe(`${name}.localhost`)
      }),
    )
  })

  it('is not repeated in full when it is far too long', () => {
    expect(() => checkName('x'.repeat(100_000))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,300}$/) }),
    )
  })
})

describe('the name of a port', () => {
  it.each([
    ['http', true],
    ['a', true],
    ['x'.repeat(15), true],
    ['x'.repeat(16), false],
    ['8080', false],
    ['http-', false],
  ])('%s: %s', (name, good) => {
    expect(portNamePattern.test(name)).toBe(good)
  })
})

describe('labels', () => {
  it.each([
    ['team', true],
    ['gantry.dev/owner', true],
    ['a.b-c.d/Name_1.x', true],
    ['x'.repeat(63), true],
    ['x'.repeat(64), false],
    [`${'a.'.repeat(126)}a/x`, true],
    [`${'a.'.repeat(127)}a/x`, false],
    ['a/b/c', false],
    ['/a', false],
    ['a/', false],
    ['A.b/x', false],
    ['-a', false],
    ['', false],
  ])('have keys such as %j: %s', (key, good) => {
    expect(labelKeyPattern.test(key)).toBe(good)
  })

  it.each([
    ['', true],
    ['v1.2_3-x', true],
    ['x'.repeat(63), true],
    ['x'.repeat(64), false],
    ['-x', false],
    ['a b', false],
    ['a\nb', false],
  ])('have values such as %j: %s', (value, good) => {
    expect(labelValuePattern.test(value)).toBe(good)
  })

  it('are checked in time that grows with their length only', () => {
    // A pattern that goes back over its steps would not come back from these within the test's own deadline.
    for (const text of [`${'a-'.repeat(50_000)}!`, `${'a.'.repeat(50_000)}/`, `${'a'.repeat(100_000)}-/`]) {
      expect(labelKeyPattern.test(text)).toBe(false)
    }
  })
})
