import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EngineLog, type LogStream, lineBatch } from '../../log-line.ts'
import { linesOf } from '../../log-text.ts'
import { type LogEntry, pieceBytes } from './log-entries.ts'
import { LogLines } from './log-lines.ts'
import { beginning, formatCursor, type LogPlace, lastTime, parseCursor, placeAt, sinceOf } from './log-place.ts'

const at = (nanos: number): string =>
  `2026-11-16T10:00:${String(Math.floor(nanos / 1e9)).padStart(2, '0')}.${String(nanos % 1e9).padStart(9, '0')}Z`

/** One line as its entries: pieces of 16 KiB, and the last with the line end. */
function entriesOf(stream: LogStream, time: string, line: string): LogEntry[] {
  const bytes = Buffer.from(line)
  const entries: LogEntry[] = []
  for (let from = 0; ; from += pieceBytes) {
    const data = bytes.subarray(from, from + pieceBytes)
    if (data.length === pieceBytes) entries.push({ stream, time, data })
    else return [...entries, { stream, time, data: Buffer.concat([data, Buffer.from('\n')]) }]
  }
}

/** What Docker answers: all that has this time or a later one, in the order in which it was written. */
const since = (log: readonly LogEntry[], place: LogPlace): LogEntry[] => {
  const asked = sinceOf(place)
  const seconds = (time: string) => sinceOf({ stdout: { time, told: 0 }, stderr: { time, told: 0 } }) ?? ''
  return log.filter(({ time }) => asked === undefined || seconds(time) >= asked)
}

function readFrom(log: readonly LogEntry[], place: LogPlace, chunk: number): EngineLog[] {
  const lines = new LogLines(place, false)
  const entries = since(log, place)
  const logs: EngineLog[] = []
  for (let from = 0; from < entries.length; from += chunk) logs.push(...lines.take(entries.slice(from, from + chunk)))
  return [...logs, ...lines.end()]
}

const linesIn = (logs: readonly EngineLog[], stream: LogStream): string[] =>
  logs.flatMap((log) => (log.type === 'lines' && log.stream === stream ? linesOf(log.text) : []))

/** Two writers, each with its own clock that never goes back; what they write is put together as it happens to be. */
const written = fc
  .array(
    fc.record({
      stream: fc.constantFrom<LogStream>('stdout', 'stderr'),
      stepNanos: fc.constantFrom(0, 0, 1, 900, 3_000_000, 400_000_000),
      text: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.constantFrom('', 'x'.repeat(pieceBytes), 'é'.repeat(20_000)),
      ),
      late: fc.nat(3),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((writes) => {
    let nanos = 1_000_000_000
    const lines = writes.map(({ stream, stepNanos, text, late }, order) => {
      nanos += stepNanos
      return { stream, line: text.replaceAll('\n', ' '), time: at(nanos), order: order + late }
    })
    const log: LogEntry[] = []
    const queues = {
      stdout: lines.filter(({ stream }) => stream === 'stdout'),
      stderr: lines.filter(({ stream }) => stream === 'stderr'),
    }
    const pieces = {
      stdout: queues.stdout.flatMap((each) =>
        entriesOf('stdout', each.time, each.line).map((entry) => ({ entry, order: each.order })),
      ),
      stderr: queues.stderr.flatMap((each) =>
        entriesOf('stderr', each.time, each.line).map((entry) => ({ entry, order: each.order })),
      ),
    }
    while (pieces.stdout.length + pieces.stderr.length > 0) {
      const [out, err] = [pieces.stdout[0], pieces.stderr[0]]
      const next = !err || (out && out.order <= err.order) ? pieces.stdout.shift() : pieces.stderr.shift()
      if (next) log.push(next.entry)
    }
    return { log, stdout: queues.stdout.map(({ line }) => line), stderr: queues.stderr.map(({ line }) => line) }
  })

describe('lines of entries', () => {
  it('are each told once, whole, and behind every cursor exactly the rest', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 9 }), ({ log, stdout, stderr }, chunk) => {
        const all = readFrom(log, beginning, chunk)
        expect(linesIn(all, 'stdout')).toEqual(stdout)
        expect(linesIn(all, 'stderr')).toEqual(stderr)
        all.forEach(({ cursor }, told) => {
          const rest = readFrom(log, parseCursor(cursor), chunk)
          expect(rest.filter(({ type }) => type === 'gap')).toEqual([])
          for (const stream of ['stdout', 'stderr'] as const) {
            expect(linesIn(rest, stream)).toEqual(linesIn(all.slice(told + 1), stream))
          }
        })
      }),
      { numRuns: 100 },
    )
  })

  it('are told together where they were written together, and no more than a batch', () => {
    const log = Array.from({ length: 20_000 }, (_, line) =>
      entriesOf('stdout', at(1_000_000_000 + line * 10), `line ${line}`),
    ).flat()
    const logs = readFrom(log, beginning, 20_000)
    expect(logs.length).toBeLessThan(10)
    for (const each of logs) expect(each.type === 'lines' && each.text.length <= lineBatch).toBe(true)
    expect(linesIn(logs, 'stdout')).toHaveLength(20_000)
    const slow = [1, 2, 3].flatMap((second) => entriesOf('stdout', at(second * 1_000_000_000), 'tick'))
    expect(readFrom(slow, beginning, 3).map((each) => each.at.getUTCSeconds())).toEqual([1, 2, 3])
  })

  it('wait for the rest of a long line, while the other stream goes on', () => {
    const lines = new LogLines(beginning, false)
    const [first, second] = entriesOf('stderr', at(1_000_000_000), 'e'.repeat(20_000))
    const told = lines.take([first as LogEntry, ...entriesOf('stdout', at(30_000_000_000), 'out')])
    expect(linesIn(told, 'stdout')).toEqual(['out'])
    expect(lines.hasBegun).toBe(true)
    const place = parseCursor(told[0]?.cursor ?? '')
    const log = [first as LogEntry, ...entriesOf('stdout', at(30_000_000_000), 'out'), second as LogEntry]
    const rest = readFrom(log, place, 1)
    expect(linesIn(rest, 'stderr')).toEqual(['e'.repeat(20_000)])
    expect(linesIn(rest, 'stdout')).toEqual([])
    expect(lines.endBegun(new Date('2026-11-16T09:00:00Z'))).toEqual([])
    expect(linesIn(lines.endBegun(new Date('2026-11-16T11:00:00Z')), 'stderr')).toEqual(['e'.repeat(pieceBytes)])
  })

  it('that are too long for anybody are told in pieces', () => {
    const logs = readFrom(entriesOf('stdout', at(1), 'x'.repeat(600 * 1024)), beginning, 7)
    expect(linesIn(logs, 'stdout').join('')).toBe('x'.repeat(600 * 1024))
    for (const line of linesIn(logs, 'stdout')) expect(line.length).toBeLessThanOrEqual(256 * 1024)
  })

  it('have a gap, once, where nothing is left of what was told', () => {
    const log = [1, 2, 3, 4].flatMap((second) => entriesOf('stdout', at(second * 1_000_000_000), `line ${second}`))
    const [first] = readFrom(log, beginning, 1)
    const later = readFrom(log.slice(2), parseCursor(first?.cursor ?? ''), 9)
    expect(later.map(({ type }) => type)).toEqual(['gap', 'lines', 'lines'])
    expect(readFrom(log.slice(2), parseCursor(later[0]?.cursor ?? ''), 9).map(({ type }) => type)).toEqual([
      'lines',
      'lines',
    ])
    const emptied = readFrom([], parseCursor(first?.cursor ?? ''), 9)
    expect(emptied.map(({ type }) => type)).toEqual(['gap'])
    expect(readFrom([], parseCursor(emptied[0]?.cursor ?? ''), 9)).toEqual([])
  })
})

describe('a place in a log', () => {
  it('is told as a cursor and found again; what is none is refused', () => {
    const place = { stdout: { time: at(5), told: 3 }, stderr: { time: '', told: 0 } }
    expect(parseCursor(formatCursor(place))).toEqual(place)
    expect(lastTime(place)).toBe(at(5))
    for (const bad of ['', '1.2.3', '+0', `${at(5)}+1`, `${at(5)}+1/x+0`]) {
      expect(() => parseCursor(bad)).toThrow(expect.objectContaining({ reason: 'bad_request' }))
    }
  })

  it('is asked for in seconds and nanoseconds', () => {
    expect(sinceOf(beginning)).toBeUndefined()
    expect(sinceOf(placeAt(new Date('2026-11-16T10:00:00.007Z')))).toBe('1794823200.007000000')
  })
})
