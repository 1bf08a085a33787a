import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredLog } from '../stored-log.ts'
import { BlockBuilder, isWhole, readHead, readLines } from './block.ts'

type Batch = { readonly at: number; readonly stream: StoredLog['stream']; readonly lines: readonly string[] }

function blockOf(batches: readonly Batch[], cursor = 'c'): Buffer {
  const block = new BlockBuilder()
  for (const { at, stream, lines } of batches) block.add(at, stream, lines.map((line) => `${line}\n`).join(''))
  return Buffer.concat(block.take(cursor))
}

describe('a block', () => {
  it('says once what lines that came together have in common', () => {
    const block = blockOf([
      { at: 1000, stream: 'stdout', lines: ['a', 'b+1 c', ''] },
      { at: 1007, stream: 'stderr', lines: ['d'] },
    ])
    expect(block.toString()).toMatch(/^#\d+ [0-9a-f]+ 4 1000 1007 "c"\no0\+2 a\nb\+1 c\n\ne7 d\n$/)
  })

  it('gives back every line with its time and stream, however they came together', () => {
    const line = fc.oneof(
      fc.string({ unit: fc.constantFrom('+', ' ', 'o', '1', 'ü', '#') }),
      // Long enough to be bytes at once.
      fc.nat(9).map((number) => `${number}`.repeat(3000)),
    )
    const batch = fc.record({
      at: fc.integer({ min: -5, max: 2 ** 41 }),
      stream: fc.constantFrom<StoredLog['stream']>('stdout', 'stderr', 'gap'),
      lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    })
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 6 }), fc.string(), (batches, cursor) => {
        const bytes = blockOf(batches, cursor)
        const found = readHead(bytes, 0)
        if (!found) throw new Error('there is a header')
        const lines = bytes.subarray(found.from)
        expect(found.head.cursor).toBe(cursor)
        expect(isWhole(found.head, lines)).toBe(true)
        const expected = batches.flatMap(({ at, stream, lines: texts }) => texts.map((text) => ({ at, stream, text })))
        expect(readLines(found.head, lines)).toEqual(expected)
        expect(found.head.lines).toBe(expected.length)
      }),
    )
  })
})
