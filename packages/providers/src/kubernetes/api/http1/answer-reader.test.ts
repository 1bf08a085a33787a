import { describe, expect, it } from 'vitest'
import type { AnswerHead } from './answer-head.ts'
import { AnswerReader } from './answer-reader.ts'

type Read = { head?: AnswerHead; body: string; ended?: boolean; whole?: boolean }

/** Reads it in pieces of so many bytes, then the end of the connection if that is asked for. */
function read(text: string, size: number, closed = false): Read {
  const found: Read = { body: '' }
  const reader = new AnswerReader({
    head: (head) => {
      found.head = head
    },
    data: (bytes, from, to) => {
      found.body += bytes.toString('latin1', from, to)
    },
    end: (reusable) => {
      found.ended = reusable
    },
  })
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  if (closed) found.whole = reader.close()
  return found
}

const lines = (...parts: string[]): string => parts.join('\r\n')
const sizes = [1, 2, 3, 7, 16, 1_000]

const rows: readonly [string, string, Read, boolean?][] = [
  [
    'of a length',
    lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'Retry-After: 3', '', 'hello'),
    { head: { status: 200, length: 5, chunked: false, keptAlive: true, retryAfter: '3' }, body: 'hello', ended: true },
  ],
  [
    'without a body',
    lines('HTTP/1.1 200 OK', 'content-length:0', '', ''),
    { head: { status: 200, length: 0, chunked: false, keptAlive: true }, body: '', ended: true },
  ],
  [
    'in chunks, with more said of them',
    lines(
      'HTTP/1.1 200 OK',
      'Transfer-Encoding: chunked',
      '',
      '5;x=y',
      'hello',
      'A',
      '0123456789',
      '0',
      'Trailer: x',
      '',
      '',
    ),
    { head: { status: 200, chunked: true, keptAlive: true }, body: 'hello0123456789', ended: true },
  ],
  [
    'behind one that comes before it',
    lines('HTTP/1.1 103 Early', 'Link: x', '', 'HTTP/1.1 404 Not Found', 'Content-Length: 2', '', 'no'),
    { head: { status: 404, length: 2, chunked: false, keptAlive: true }, body: 'no', ended: true },
  ],
  [
    'that is the last of its connection',
    lines('HTTP/1.1 500 Oh', 'Connection: close', 'Content-Length: 2', '', 'no'),
    { head: { status: 500, length: 2, chunked: false, keptAlive: false }, body: 'no', ended: false },
  ],
  [
    'that ends with its connection',
    lines('HTTP/1.0 200 OK', '', 'all of it'),
    { head: { status: 200, chunked: false, keptAlive: false }, body: 'all of it', ended: false, whole: true },
    true,
  ],
  [
    'that breaks off',
    lines('HTTP/1.1 200 OK', 'Content-Length: 5', '', 'hel'),
    { head: { status: 200, length: 5, chunked: false, keptAlive: true }, body: 'hel', whole: false },
    true,
  ],
  [
    'that breaks off between chunks',
    lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '3', 'hel', ''),
    { head: { status: 200, chunked: true, keptAlive: true }, body: 'hel', whole: false },
    true,
  ],
  ['that never began', '', { body: '', whole: false }, true],
]

describe('an answer', () => {
  it.each(rows)('%s is read, in whatever pieces it comes', (_, text, expected, closed) => {
    for (const size of sizes) expect(read(text, size, closed)).toEqual(expected)
  })

  it('is the last of its connection where more comes than was asked for', () => {
    const text = lines('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'okmore')
    expect(read(text, 1_000)).toMatchObject({ body: 'ok', ended: false })
  })

  it.each([
    ['another language', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a length that is none', lines('HTTP/1.1 200 OK', 'Content-Length: many', '', '')],
    ['another coding', lines('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked', '', '')],
    ['a chunk without size', lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'no', '')],
    ['a chunk that is longer', lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '2', 'hello', '')],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'x'.repeat(300_000)}`],
  ])('is refused where it has %s', (_, text) => {
    expect(() => read(text, 1_000)).toThrowError(expect.objectContaining({ reason: 'bad_answer' }))
  })
})
