import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { before, formatCursor, parseCursor, placeAt, type StreamPlace, sinceOf, timeIn } from './place.ts'
import { longestLine, StreamLines, type Told } from './stream-lines.ts'

const time = (second: number, nanos = 0): string =>
  `2026-11-17T10:00:${String(second).padStart(2, '0')}.${String(nanos).padStart(9, '0')}Z`

const textOf = (told: readonly Told[]): string => told.map((each) => ('text' in each ? each.text : '(gap)\n')).join('')

const read = (from: StreamPlace, text: string) => {
  const lines = new StreamLines('stdout', from)
  const told = lines.take(Buffer.from(text))
  return { lines, text: textOf(told), told }
}

const line = (at: string, text: string): string => `${at} ${text}\n`

describe('lines of a log', () => {
  it('come each once and in order, whatever they are cut into, and wherever reading began anew', () => {
    // In no order of time, and several of the very same time behind each other.
    const moments = fc.shuffledSubarray([...Array(12).keys()])
    const log = moments.chain((nanos) =>
      fc.tuple(
        ...nanos.map((each) =>
          fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }).map((texts) => ({ each, texts })),
        ),
      ),
    )
    fc.assert(
      fc.property(log, fc.array(fc.nat(40)), fc.nat(100), (groups, cuts, percent) => {
        const texts = groups.flatMap(({ each, texts: own }) =>
          own.map((text) => ({ each, text: text.replaceAll('\n', ' ') })),
        )
        const whole = Buffer.from(texts.map(({ each, text }) => line(time(1, each), text)).join(''))
        const expected = texts.map(({ text }) => `${text}\n`).join('')
        const reader = new StreamLines('stdout', before)
        let [at, seen] = [0, '']
        for (const cut of [...cuts, whole.length]) {
          seen += textOf(reader.take(whole.subarray(at, at + cut)))
          at += cut
        }
        expect(seen).toBe(expected)
        const first = new StreamLines('stdout', before)
        const begun = textOf(first.take(whole.subarray(0, Math.floor((whole.length * percent) / 100))))
        const again = read(first.place, whole.toString())
        expect([begun + again.text, again.lines.isSeeking]).toEqual([expected, false])
      }),
    )
  })

  it('are told together by the millisecond, with a place behind the last', () => {
    const { told } = read(before, line(time(1, 1), 'a') + line(time(1, 2), '') + line(time(1, 2_000_000), 'c'))
    expect(told).toEqual([
      {
        ts: new Date('2026-11-17T10:00:01.000Z'),
        stream: 'stdout',
        text: 'a\n\n',
        place: { time: time(1, 2), told: 1, bytes: 0 },
      },
      {
        ts: new Date('2026-11-17T10:00:01.002Z'),
        stream: 'stdout',
        text: 'c\n',
        place: { time: time(1, 2_000_000), told: 1, bytes: 0 },
      },
    ])
  })

  it('go on behind the line that was told last, also where times are not in order', () => {
    const log = line(time(2), 'a') + line(time(1), 'b') + line(time(3), 'c') + line(time(2), 'd')
    const { lines } = read(before, line(time(2), 'a') + line(time(1), 'b'))
    expect(read(lines.place, log).text).toBe('c\nd\n')
  })

  it('are missing where what was told last is not there any more', () => {
    const place = { time: time(1), told: 1, bytes: 0 }
    const { lines, text } = read(place, line(time(2), 'b') + line(time(3), 'c'))
    expect([text, lines.isSeeking]).toEqual(['', true])
    expect(textOf(lines.giveUp())).toBe('(gap)\nb\nc\n')
    expect(textOf(lines.take(Buffer.from(line(time(4), 'd'))))).toBe('d\n')
    expect(read(place, line(time(2), 'b') + line(time(30), 'c')).text).toBe('(gap)\nb\nc\n')
  })

  it('begin at a moment, to the millisecond', () => {
    const { stdout } = placeAt(new Date('2026-11-17T10:00:01.500Z'))
    expect(read(stdout, line(time(1, 499_999_999), 'a') + line(time(1, 500_000_000), 'b')).text).toBe('b\n')
  })

  it('that have begun are lines when their writer has ended, and not before', () => {
    const { lines, text } = read(before, `${line(time(1), 'a')}${time(2)} half`)
    expect([text, textOf(lines.endRun(false))]).toEqual(['a\n', ''])
    const other = read(before, `${time(2)} half`)
    expect(textOf(other.lines.endRun(true))).toBe('half\n')
  })

  it('that are too long are told in pieces, and read on within', () => {
    const long = `${'x'.repeat(longestLine)}${'y'.repeat(longestLine)}end`
    const reader = new StreamLines('stdout', before)
    const first = reader.take(Buffer.from(`${time(1)} ${long.slice(0, longestLine + 10)}`))
    expect(textOf(first)).toBe(`${'x'.repeat(longestLine)}\n`)
    expect(reader.place).toEqual({ time: time(1), told: 1, bytes: longestLine })
    const rest = read(reader.place, line(time(1), long) + line(time(2), 'next'))
    expect(rest.text).toBe(`${'y'.repeat(longestLine)}\nend\nnext\n`)
  })

  it('without a time are not taken for a log', () => {
    expect(() => read(before, `${'no time at all '.repeat(9)}\n`)).toThrowError(/without its time/)
  })
})

describe('a place', () => {
  it('is written into a cursor and read from it', () => {
    const place = { stdout: { time: time(1, 5), told: 3, bytes: 7 }, stderr: before }
    expect(parseCursor(formatCursor(place))).toEqual(place)
    expect(() => parseCursor('elsewhere')).toThrowError(/not one of a Kubernetes log/)
  })

  it('is asked for from a while before, in whole seconds', () => {
    expect(sinceOf(before)).toBeUndefined()
    expect(sinceOf({ time: time(9, 7), told: 1, bytes: 0 })).toEqual(new Date('2026-11-17T10:00:04Z'))
    expect(sinceOf({ time: time(9, 7), told: 0, bytes: 0 })).toEqual(new Date('2026-11-17T10:00:09Z'))
  })

  it.each([
    ['2026-11-17T10:00:01.000000001Z', '2026-11-17T10:00:01.000000001Z'],
    ['2026-11-17T12:00:01.000000001+02:00', '2026-11-17T10:00:01.000000001Z'],
    ['yesterday', undefined],
  ])('has a time in UTC, however the node writes it: %s', (written, utc) => {
    expect(timeIn(written)).toBe(utc)
  })
})
