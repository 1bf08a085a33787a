import { describe, expect, it } from 'vitest'
import { goWords } from '../testing/go-words.ts'
import { meaningOf } from './scalars.ts'

describe('a plain word of YAML', () => {
  it.each(Object.entries(goWords.values))('%j means to us what it means to kubectl', (word, value) => {
    expect(meaningOf(word)).toEqual({ value })
  })

  it.each(goWords.refused)('%j is refused, as JSON cannot say it', (word) => {
    expect(meaningOf(word)).toEqual({ wrong: expect.stringContaining('number') })
  })

  it.each(['9007199254740993', '18446744073709551615', '-9223372036854775808', '0x7fffffffffffffff'])(
    '%s is refused rather than rounded',
    (word) => {
      expect(meaningOf(word)).toEqual({ wrong: expect.stringContaining('exactly') })
    },
  )
})
