import { expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }

it.each([
  [undefined, undefined],
  ['', undefined],
  ['1', 1_000],
  ['0', 0],
  ['-3', 0],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
  ['Thu, 01 Jan 2020 00:00:00 GMT', 0],
  ['soon', undefined],
])('a server that says %s is asked again after %s ms', (header, ms) => {
  expect(retryAfterMs(header, clock)).toBe(ms)
})
