import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration, readDuration } from './duration.ts'

describe('a length of time', () => {
  it.each<[string, number]>([
    ['0s', 0],
    ['250ms', 250],
    ['1s', 1000],
    ['1.5s', 1500],
    ['0.001s', 1],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1d1h1m1s1ms', 90_061_001],
    ['90s', 90_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '',
    '1',
    's',
    '1 s',
    '-1s',
    '30m1h',
    '1h1h',
    '1.2345s',
    '0.5ms',
    '1w',
    '1e3s',
    '999999999999999d',
    ' 1s',
    '1s\n',
  ])('%j is refused', (text) => {
    expect(readDuration(text)).toBeUndefined()
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ kind: 'invalid', reason: 'bad_duration' }))
  })

  it.each<[number, string]>([
    [0, '0s'],
    [250, '250ms'],
    [5_400_000, '1h30m'],
    [90_000, '1m30s'],
    [86_400_000, '1d'],
  ])('of %i ms is written %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('comes back from its text as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 13 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms)
      }),
    )
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('is not %d ms', (ms) => {
    expect(() => formatDuration(ms)).toThrow(expect.objectContaining({ reason: 'bad_duration' }))
  })
})
