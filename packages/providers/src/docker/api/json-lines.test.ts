import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'

async function collected(pieces: readonly Buffer[]): Promise<unknown[]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield* pieces
  }
  const seen: unknown[] = []
  for await (const value of jsonLines(chunks())) seen.push(value)
  return seen
}

describe('lines of JSON', () => {
  it('come out as they went in, cut anywhere, also inside a character', async () => {
    const values = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }))
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (values, size) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\r\n`).join(''))
        const count = Math.ceil(bytes.length / size)
        const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
        expect(await collected(pieces)).toEqual(values)
      }),
    )
  })

  it('may lack the end of the last one', async () => {
    expect(await collected([Buffer.from('{"a":1}\n{"a":'), Buffer.from('2}')])).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('are refused where they are no JSON', async () => {
    await expect(collected([Buffer.from('oops\n')])).rejects.toMatchObject({ reason: 'bad_answer' })
  })
})
