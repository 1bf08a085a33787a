import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { isFault, Secret } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Envelope, open, type Place, reseal, seal } from './envelope.ts'
import { parseKeyRing } from './key-ring.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const key = newKey()
const ring = parseKeyRing(key, 'the test')
const place: Place = ['Kind', 'tenant', 'name.v1']

const names = fc.stringMatching(/^[-._A-Za-z0-9]{1,20}$/)
const plain = fc.dictionary(names, fc.uint8Array({ maxLength: 200 }), { minKeys: 1, maxKeys: 5 })
const places = fc.tuple(fc.string(), fc.string(), fc.string(), fc.nat())

const sealed = (values: Record<string, Uint8Array>, at: Place = place): Envelope =>
  seal(ring, at, new Map(Object.entries(values).map(([name, value]) => [name, new Secret(value)])))

const reasonOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return isFault(error) ? error.reason : `${error}`
  }
  return 'opened'
}

/** The text with one byte of what it encodes changed. */
function flipped(text: string, at: number, bits: number): string {
  const bytes = Buffer.from(text, 'base64')
  const index = at % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ bits
  return bytes.toString('base64')
}

describe('an envelope', () => {
  it('opens to what was sealed, value by value', () => {
    fc.assert(
      fc.property(plain, places, (values, at) => {
        const envelope = sealed(values, at)
        for (const [name, value] of Object.entries(values)) {
          expect(open(ring, at, envelope, name)?.revealBytes()).toEqual(Uint8Array.from(value))
        }
      }),
    )
  })

  it('does not open with any byte changed', () => {
    const bits = fc.integer({ min: 1, max: 255 })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), bits, fc.boolean(), (value, at, flip, inKey) => {
        const envelope = sealed({ a: value })
        const changed = inKey
          ? { ...envelope, dataKey: flipped(envelope.dataKey, at, flip) }
          : { ...envelope, values: { a: flipped(envelope.values.a ?? '', at, flip) } }
        expect(reasonOf(() => open(ring, place, changed, 'a'))).toBe('sealed_value_damaged')
      }),
      { numRuns: 500 },
    )
  })

  it('does not open in any other place', () => {
    fc.assert(
      fc.property(places, places, (there, here) => {
        fc.pre(JSON.stringify(there) !== JSON.stringify(here))
        const envelope = sealed({ a: Buffer.from('x') }, there)
        expect(reasonOf(() => open(ring, here, envelope, 'a'))).toBe('sealed_value_damaged')
      }),
    )
  })

  it.each<[string, (envelope: Envelope, other: Envelope) => Envelope]>([
    ['two values exchanged', (e) => ({ ...e, values: { a: e.values.b ?? '', b: e.values.a ?? '' } })],
    ['one value taken out', (e) => ({ ...e, values: { a: e.values.a ?? '' } })],
    ['one value added', (e) => ({ ...e, values: { ...e.values, c: e.values.a ?? '' } })],
    ['a value of another envelope', (e, o) => ({ ...e, values: { ...e.values, a: o.values.a ?? '' } })],
    ['the key of another envelope', (e, o) => ({ ...e, dataKey: o.dataKey })],
    ['a value cut to nothing', (e) => ({ ...e, values: { ...e.values, a: '' } })],
    ['text after a value', (e) => ({ ...e, values: { ...e.values, a: `${e.values.a}!` } })],
    ['no key', (e) => ({ ...e, dataKey: '' })],
    ['a format of tomorrow', (e) => ({ ...e, format: 2 as 1 })],
  ])('does not open with %s', (_, change) => {
    const make = () => sealed({ a: Buffer.from('one'), b: Buffer.from('two') })
    expect(reasonOf(() => open(ring, place, change(make(), make()), 'a'))).toBe('sealed_value_damaged')
  })

  it('is another one each time, for the same values', () => {
    const [one, two] = [sealed({ a: Buffer.from('x') }), sealed({ a: Buffer.from('x') })]
    expect(one.values.a).not.toBe(two.values.a)
    expect(one.dataKey).not.toBe(two.dataKey)
  })

  it('has no value under a name that every object inherits', () => {
    expect(open(ring, place, sealed({ a: Buffer.from('x') }), 'toString')).toBeUndefined()
  })

  it('says which master key is missing', () => {
    const envelope = sealed({ a: Buffer.from('x') })
    const other = parseKeyRing(newKey(), 'the test')
    expect(() => open(other, place, envelope, 'a')).toThrow(
      expect.objectContaining({ reason: 'master_key_unknown', message: expect.stringContaining(ring.newest.id) }),
    )
  })

  it('is sealed anew by another master key with its values untouched, and once only', () => {
    const envelope = sealed({ a: Buffer.from('x') })
    const next = newKey()
    const both = parseKeyRing(`${next}\n${key}\n`, 'the test')
    const anew = reseal(both, place, envelope)
    expect(anew?.values).toEqual(envelope.values)
    const alone = parseKeyRing(next, 'the test')
    expect(anew && open(alone, place, anew, 'a')?.reveal()).toBe('x')
    expect(anew && reseal(both, place, anew)).toBeUndefined()
    expect(reasonOf(() => reseal(both, ['elsewhere'], envelope))).toBe('sealed_value_damaged')
  })
})

describe('master keys', () => {
  it.each(['', ' \n', 'short', newKey().slice(0, 40), `${newKey()}x`, `${key} not-base64!`])('refuse %j', (text) => {
    const reason = reasonOf(() => parseKeyRing(text, 'the test'))
    expect(reason).toBe('master_key_unusable')
  })

  it('are never shown: not in a refusal, not when printed', () => {
    const typo = `${key.slice(0, 30)}!`
    expect(() => parseKeyRing(typo, 'the test')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(typo) }),
    )
    expect(inspect(ring, { depth: 9, showHidden: true })).not.toContain(key)
  })

  it('are found by their ids, the first being the newest', () => {
    const two = parseKeyRing(`${newKey()},${key}`, 'the test')
    expect(two.find(ring.newest.id)?.id).toBe(ring.newest.id)
    expect(two.newest.id).not.toBe(ring.newest.id)
    expect(two.find('0'.repeat(16))).toBeUndefined()
  })
})
