import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader, framesOf, type OutputFrame } from './frames.ts'

const stream = fc.constantFrom<OutputFrame['stream']>('stdout', 'stderr')
const frames = fc.array(fc.record({ stream, data: fc.uint8Array({ minLength: 1, maxLength: 40 }).map(Buffer.from) }))

function encoded({ stream, data }: OutputFrame): Buffer {
  const header = Buffer.alloc(8)
  header[0] = stream === 'stdout' ? 1 : 2
  header.writeUInt32BE(data.length, 4)
  return Buffer.concat([header, data])
}

/** The bytes in pieces whose sizes are taken in turn. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const end = at + (sizes[turn % sizes.length] ?? 1)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}

async function* from(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

describe('output in frames', () => {
  it('ends with what the engine says of itself, in its words', async () => {
    const words = Buffer.from('Error grabbing logs: unexpected EOF\n')
    const said = encoded({ stream: 'stdout', data: words })
    said[0] = 3
    for (const pieces of [[said], cut(said, [5])]) {
      const reading = framesOf(from(pieces), false).next()
      await expect(reading).rejects.toMatchObject({
        reason: 'engine_refused',
        message: expect.stringContaining('unexpected EOF'),
      })
    }
  })

  it('comes out as it went in, whatever pieces it arrives in', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(frames, sizes, async (sent, sizes) => {
        const pieces = cut(Buffer.concat(sent.map(encoded)), sizes)
        const seen: OutputFrame[] = []
        for await (const frame of framesOf(from(pieces), false)) seen.push(frame)
        expect(seen.map(({ stream, data }) => [stream, data.toString('hex')])).toEqual(
          sent.map(({ stream, data }) => [stream, data.toString('hex')]),
        )
      }),
    )
  })

  it('tells an end in the middle of a frame from an end', () => {
    const whole = encoded({ stream: 'stderr', data: Buffer.from('hello') })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (length) => {
        const reader = new FrameReader()
        expect(reader.push(whole.subarray(0, length))).toEqual([])
        expect(() => reader.end()).toThrow(expect.objectContaining({ reason: 'engine_unreachable' }))
        expect(reader.push(whole.subarray(length))).toEqual([{ stream: 'stderr', data: Buffer.from('hello') }])
        reader.end()
      }),
    )
  })

  it.each([
    ['a stream that there is none of', [9, 0, 0, 0, 0, 0, 0, 1]],
    ['bytes that are no header', [...Buffer.from('1234567\n')]],
    ['a frame larger than any', [1, 0, 0, 0, 255, 255, 255, 255]],
  ])('refuses %s', (_, bytes) => {
    expect(() => new FrameReader().push(Buffer.from(bytes))).toThrow(expect.objectContaining({ reason: 'bad_answer' }))
  })

  it('of a terminal has no frames', async () => {
    const seen: OutputFrame[] = []
    for await (const frame of framesOf(from([Buffer.from('plain')]), true)) seen.push(frame)
    expect(seen).toEqual([{ stream: 'stdout', data: Buffer.from('plain') }])
  })
})
