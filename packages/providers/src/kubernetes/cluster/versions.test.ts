import { expect, it } from 'vitest'
import { isNewer } from './versions.ts'

it.each([
  ['10', '9', true],
  ['9', '10', false],
  ['123', '122', true],
  ['123', '123', false],
  ['99999999999999999999', '99999999999999999998', true],
  ['b', 'a', true],
  ['a', 'a', false],
  ['7', '', true],
])('version %s is newer than %s: %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer)
})
