import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerReader, type HttpAnswer } from './http-answer.ts'

/** As the bytes come in pieces of these sizes, and then the connection ends. */
function read(text: string | Buffer, sizes: readonly number[] = []): HttpAnswer | undefined {
  const bytes = Buffer.from(text)
  const reader = answerReader()
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    const answer = at < bytes.length ? reader.take(bytes.subarray(at, at + size)) : undefined
    if (answer) return answer
    at += size
  }
  return reader.end()
}

const head = (...lines: string[]): string => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 400 })

describe('an answer of HTTP', () => {
  it('is the same in whatever pieces it comes, and however its body ends', () => {
    const chunked = (parts: readonly Uint8Array[]): Buffer[] => [
      ...parts.flatMap((part) => [
        Buffer.from(`${part.length.toString(16)};x=y\r\n`),
        Buffer.from(part),
        Buffer.from('\r\n'),
      ]),
      Buffer.from('0\r\nlate: 1\r\n\r\n'),
    ]
    const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 8 })
    const ends = fc.constantFrom('length', 'chunks', 'rest')
    fc.assert(
      fc.property(bodies, ends, sizes, (parts, end, pieces) => {
        const body = Buffer.concat(parts)
        const lines = { length: `Content-Length: ${body.length}`, chunks: 'Transfer-Encoding: chunked', rest: 'X: y' }
        const sent = end === 'chunks' ? chunked(parts) : [body]
        const answer = read(Buffer.concat([Buffer.from(head(lines[end])), ...sent]), pieces)
        expect(answer?.status).toBe(200)
        expect(answer?.body.equals(body)).toBe(true)
      }),
    )
  })

  it('is none while some of it is missing', () => {
    const length = head('content-length: 4')
    const chunks = `${head('transfer-encoding: chunked')}4\r\nabcd\r\n`
    for (const text of ['', 'HTTP/1.1 200 OK\r\n', length, `${length}abc`, chunks, `${chunks}0`]) {
      expect(read(text)).toBeUndefined()
    }
  })

  it('has its headers by small letters, those that are there twice together', () => {
    const headers = read(head('Content-Type:  text/plain ', 'Vary: a', 'vary: b', 'content-length: 0'))?.headers
    expect([...(headers ?? [])]).toEqual([
      ['content-type', 'text/plain'],
      ['vary', 'a, b'],
      ['content-length', '0'],
    ])
  })

  it('may come after word that it will', () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'
    expect(read(`${early}${head('content-length: 2')}ok`)?.body.toString()).toBe('ok')
  })

  it('has no body where there can be none', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n')?.body.length).toBe(0)
  })

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a line that is no header', head('nonsense')],
    ['a length that is no number', head('content-length: -1')],
    ['two lengths', head('content-length: 1', 'content-length: 2')],
    ['a coding that nobody asked for', head('transfer-encoding: gzip, chunked')],
    ['a chunk without a size', `${head('transfer-encoding: chunked')}x\r\n`],
    ['a chunk that is longer than it said', `${head('transfer-encoding: chunked')}1\r\nabc\r\n`],
    ['a head that does not end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
  ])('is refused if it is %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ reason: 'bad_answer' }))
  })

  it('never is anything but an answer, nothing, or refused', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('HTTP/1.1 200 OK', '\r\n', ':', 'content-length', '4', 'a', '0')),
        sizes,
        (words, pieces) => {
          try {
            read(words.join(''), pieces)
          } catch (error) {
            expect(error).toMatchObject({ reason: 'bad_answer' })
          }
        },
      ),
    )
  })
})
