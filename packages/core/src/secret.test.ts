import { Console } from 'node:console'
import { format, inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { isSecret, Secret } from './secret.ts'

const canary = 'canary-7f3a9c1e5b2d'
const secret = new Secret(canary)

const ways: [string, (value: Secret) => unknown][] = [
  ['JSON', (value) => JSON.stringify(value)],
  ['JSON, nested', (value) => JSON.stringify({ a: [{ value }] })],
  ['JSON, as an entry of a map turned object', (value) => JSON.stringify(Object.fromEntries(new Map([['k', value]])))],
  ['inspect', (value) => inspect(value)],
  ['inspect with hidden fields', (value) => inspect(value, { showHidden: true, depth: null, getters: true })],
  [
    'inspect without custom printers',
    (value) => inspect(value, { customInspect: false, showHidden: true, getters: true }),
  ],
  ['inspect, nested', (value) => inspect({ a: [new Map([[value, value]])] }, { showHidden: true, depth: null })],
  ['a template string', (value) => `${value}`],
  ['String()', (value) => String(value)],
  ['concatenation', (value) => 'a'.concat(value as unknown as string)],
  ['addition', (value) => ['a', value].reduce((left, right) => (left as string) + (right as string))],
  ['a number', (value) => String(Number(value))],
  ['format %s %o %O %j %d', (value) => format('%s %o %O %j %d', value, value, value, value, value)],
  ['format beside a text', (value) => format('it is', value)],
  ['an error message', (value) => inspect(new Error(`cannot use ${value}`, { cause: value }))],
  ['spread', (value) => inspect({ ...value }, { showHidden: true })],
  ['entries', (value) => inspect(Object.entries(value))],
  ['own names and symbols', (value) => inspect(Reflect.ownKeys(value).map((key) => Reflect.get(value, key)))],
  ['a structured clone', (value) => inspect(structuredClone(value), { showHidden: true })],
  ['toLocaleString', (value) => value.toLocaleString()],
  ['a joined list', (value) => [value, value].join()],
  ['a key of an object', (value) => JSON.stringify({ [String(value)]: 1 })],
  ['Object.assign', (value) => inspect(Object.assign({}, value), { showHidden: true })],
]

describe('a secret', () => {
  it.each(ways)('is not seen by %s', (_, print) => {
    const base64 = Buffer.from(canary).toString('base64')
    for (const text of [String(print(secret)), String(print(new Secret(Buffer.from(canary))))]) {
      expect(text).not.toContain(canary)
      expect(text).not.toContain(base64)
      expect(text).not.toContain('99, 97, 110')
    }
  })

  it('is not seen by the console', () => {
    const written: string[] = []
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    // Vitest replaces the global console; this one is Node's own.
    const node = new Console(process.stdout)
    node.log(secret, { secret }, `${secret}`)
    node.dir(secret, { showHidden: true })
    node.table([{ secret }])
    spy.mockRestore()
    expect(written.join('')).toContain('[secret]')
    expect(written.join('')).not.toContain(canary)
  })

  it('says that it is one', () => {
    expect(`${secret}`).toBe('[secret]')
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}')
    expect(inspect({ secret })).toBe('{ secret: [secret] }')
  })

  it('is given to those who ask for it by name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(new Secret(text).reveal()).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(new Secret(bytes).revealBytes()).toEqual(Uint8Array.from(bytes))
      }),
    )
  })

  it('refuses to turn bytes that are no text into text', () => {
    expect(() => new Secret(Uint8Array.of(0xff, 0xfe)).reveal()).toThrow(
      expect.objectContaining({ kind: 'invalid', reason: 'secret_not_text' }),
    )
  })

  it('keeps a leading byte order mark, which is part of the value', () => {
    expect(new Secret('\ufeffx').reveal()).toBe('\ufeffx')
  })

  it('shares its bytes with nobody', () => {
    const given = Uint8Array.of(1, 2, 3)
    const own = new Secret(given)
    given.fill(0)
    own.revealBytes().fill(9)
    expect(own.revealBytes()).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('cannot be written on', () => {
    expect(() => Object.assign(secret, { note: 'x' })).toThrow(TypeError)
  })
})

describe('comparing secrets', () => {
  it('is true for the same bytes only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ maxLength: 4 }), (left, right) => {
        expect(new Secret(left).equals(new Secret(right))).toBe(Buffer.compare(left, right) === 0)
      }),
    )
  })

  it.each([
    ['', ''],
    ['a', ''],
    ['', 'a'],
    ['ab', 'abc'],
    ['a\0', 'a'],
  ])('tells %j from %j by their bytes', (left, right) => {
    expect(new Secret(left).equals(new Secret(right))).toBe(left === right)
  })
})

describe('secrets of another copy of the package', () => {
  it('are recognised, compared and read', async () => {
    vi.resetModules()
    const copy = await import('./secret.ts')
    const foreign = new copy.Secret(canary)
    expect(foreign).not.toBeInstanceOf(Secret)
    expect(isSecret(foreign)).toBe(true)
    expect(secret.equals(foreign as Secret)).toBe(true)
  })

  it.each([
    ['a text', 'x'],
    ['null', null],
    ['an object', { reveal: () => 'x' }],
    ['a class', Secret],
  ])('are not mistaken for %s', (_, value) => {
    expect(isSecret(value)).toBe(false)
  })
})
