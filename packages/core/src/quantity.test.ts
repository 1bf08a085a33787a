import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  milliUnits,
  parseQuantity,
  quantityPattern,
  readQuantity,
  wholeUnits,
} from './quantity.ts'

const nano = 1_000_000_000n
const amounts = fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n })

describe('an amount', () => {
  it.each<[string, bigint]>([
    ['0', 0n],
    ['1', nano],
    ['250m', 250_000_000n],
    ['0.5', 500_000_000n],
    ['1e3', 1000n * nano],
    ['1E3', 1000n * nano],
    ['1e-3', 1_000_000n],
    ['1E', 10n ** 18n * nano],
    ['1Ei', 1024n ** 6n * nano],
    ['64Mi', 67_108_864n * nano],
    ['1.5Gi', 1_610_612_736n * nano],
    ['0.1', 100_000_000n],
    ['1n', 1n],
    ['3u', 3000n],
    ['007', 7n * nano],
    ['-2k', -2000n * nano],
    ['9007199254740993', 9_007_199_254_740_993n * nano],
    ['9223372036854775807', 9_223_372_036_854_775_807n * nano],
  ])('%s is exactly what it says', (text, amount) => {
    expect(parseQuantity(text)).toBe(amount)
  })

  it.each([
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '1Mb',
    '1mi',
    '1ki',
    'Mi',
    '1e',
    '1e999',
    '1e99',
    '9223372036854775808',
    '1e-12',
    '0.5n',
    '1.0000000001',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '1e3m',
    '--1',
    '+1',
    '٣',
    '1'.repeat(40),
  ])('%j is refused', (text) => {
    expect(readQuantity(text)).toBeUndefined()
    expect(() => parseQuantity(text)).toThrow(expect.objectContaining({ kind: 'invalid', reason: 'bad_quantity' }))
  })

  it.each<[string, string]>([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1536Mi', '1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['67108864', '64Mi'],
    ['1e3', '1k'],
    ['512M', '512M'],
    ['0.000', '0'],
    ['1024', '1Ki'],
    ['100001Ki', '100001Ki'],
    ['1000Ki', '1024k'],
    ['-0', '0'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical)
  })

  it('comes back from its canonical text as it was', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseQuantity(formatQuantity(amount))).toBe(amount)
      }),
      { numRuns: 1000 },
    )
  })

  it('has one canonical text however it was written', () => {
    const suffix = fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e2', 'E-1')
    const written = fc.tuple(fc.nat(), fc.nat(999), suffix).map(([whole, part, unit]) => `${whole}.${part}${unit}`)
    fc.assert(
      fc.property(written, (text) => {
        fc.pre(readQuantity(text) !== undefined)
        const canonical = canonicalQuantity(text)
        expect(canonicalQuantity(canonical)).toBe(canonical)
        expect(parseQuantity(canonical)).toBe(parseQuantity(text))
        expect(canonical).toMatch(quantityPattern)
      }),
      { numRuns: 1000 },
    )
  })

  it('is refused by the pattern of a spec whenever it has a sign', () => {
    expect(quantityPattern.test('-1')).toBe(false)
    expect(quantityPattern.test('1Gi')).toBe(true)
  })

  it('is compared and added without loss', () => {
    expect(addQuantities(parseQuantity('0.1'), parseQuantity('0.2'))).toBe(parseQuantity('0.3'))
    expect(addQuantities()).toBe(0n)
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        expect(addQuantities(left, right) - right).toBe(left)
        expect(compareQuantities(left, right)).toBe(-compareQuantities(right, left) || 0)
        expect(compareQuantities(left, left)).toBe(0)
      }),
    )
  })

  it.each<[string, bigint, bigint]>([
    ['1500m', 2n, 1500n],
    ['1n', 1n, 1n],
    ['0', 0n, 0n],
    ['64Mi', 67_108_864n, 67_108_864_000n],
  ])('%s is %s whole or %s thousandths to an engine, never less than was asked for', (text, whole, milli) => {
    expect(wholeUnits(parseQuantity(text))).toBe(whole)
    expect(milliUnits(parseQuantity(text))).toBe(milli)
  })

  it('does no harm, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.eE+\-KMGinumk]{0,60}$/)), (text) => {
        const amount = readQuantity(text)
        expect(amount === undefined || typeof amount === 'bigint').toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
