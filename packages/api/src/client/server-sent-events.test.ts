import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventReader, type ServerSentEvent } from './server-sent-events.ts'

const read = (...pieces: string[]): ServerSentEvent[] => {
  const reader = new EventReader()
  return pieces.flatMap((piece) => reader.push(piece))
}

describe('reading Server-Sent Events', () => {
  it.each<[string, string, ServerSentEvent[]]>([
    ['an event', 'event: put\nid: 7\ndata: x\n\n', [{ event: 'put', data: 'x', id: '7' }]],
    ['an event without a name', 'data: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
    ['several lines of data', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', data: 'a\nb\n', id: undefined }]],
    ['a comment', ': alive\n\n: alive\n\n', []],
    ['fields that are not ours', 'retry: 5\nfoo: bar\ndata: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
    ['one space of two', 'data:  x\n\n', [{ event: 'message', data: ' x', id: undefined }]],
    ['no data', 'event: put\n\ndata: x\n\n', [{ event: 'message', data: 'x', id: undefined }]],
    ['an event that is not complete', 'data: x\n', []],
    [
      'an id that holds on',
      'id: 1\ndata: a\n\ndata: b\n\n',
      [
        { event: 'message', data: 'a', id: '1' },
        { event: 'message', data: 'b', id: '1' },
      ],
    ],
  ])('takes %s', (_, text, events) => {
    expect(read(text)).toEqual(events)
    expect(read(text.replaceAll('\n', '\r\n'))).toEqual(events)
  })

  it('does not care where the text is cut, or how lines end', () => {
    const field = fc.constantFrom('data: x', 'data: é', 'id: 5', 'event: put', ': alive', '', '', 'data: {"a":1}')
    const end = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(field, end), { maxLength: 20 }), fc.array(fc.nat(200)), (lines, cuts) => {
        const text = lines.flat().join('')
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((place, at) => text.slice(places[at], place))
        expect(read(...pieces)).toEqual(read(text))
        expect(read(...text)).toEqual(read(text))
      }),
      { numRuns: 300 },
    )
  })

  it('does not hold what never ends', () => {
    const reader = new EventReader()
    const piece = 'x'.repeat(4_000_000)
    reader.push('data: ')
    expect(() => {
      for (let at = 0; at < 10; at++) reader.push(piece)
    }).toThrow(RangeError)
    const many = new EventReader()
    expect(() => {
      for (let at = 0; at < 10; at++) many.push(`data: ${piece}\n`)
    }).toThrow(RangeError)
  })
})
