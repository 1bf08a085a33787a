import { expect, it } from 'vitest'
import { etagOf, readEtag } from './preconditions.ts'

it.each([1, 42, 999_999_999])('generation %s is read as it was written', (generation) => {
  expect(readEtag(etagOf(generation))).toBe(generation)
})

it.each(['', '1', '"0"', '"-1"', '"1.5"', 'W/"1"', '"1", "2"', '*', '"x"', `"${'9'.repeat(17)}"`])(
  '%s is no generation',
  (header) => {
    expect(readEtag(header)).toBeUndefined()
  },
)
