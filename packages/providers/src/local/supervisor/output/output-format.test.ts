/** Segments and lines, without processes: whatever was written is read once, from any place. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EngineLog, type LogFrom, type LogStream, lineBatch } from '../../../log-line.ts'
import { linesOf } from '../../../log-text.ts'
import { readOutput } from '../client/read-output.ts'
import { segmentsIn } from './segment-format.ts'
import { SegmentWriter } from './segment-writer.ts'

const call = { signal: new AbortController().signal }
const keep = 64 << 20

async function read(folder: string, from: Partial<LogFrom> = {}): Promise<EngineLog[]> {
  const all: EngineLog[] = []
  for await (const log of readOutput(folder, { follow: false, ...from }, call)) all.push(log)
  return all
}

const said = (log: EngineLog): string[] =>
  log.type === 'lines' ? linesOf(log.text).map((line) => `${log.stream} ${line}`) : [`gap ${log.message}`]

describe('segments of output', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-output-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('give every line once, in the order of its stream, however it was cut, and from every cursor the rest', async () => {
    const chunk = fc.record({
      stream: fc.constantFrom<LogStream>('stdout', 'stderr'),
      text: fc.string({ unit: fc.constantFrom('a', 'ü', '\n', ' '), maxLength: 12 }),
      reopen: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 30 }), fc.nat(), async (chunks, pick) => {
        rmSync(folder, { recursive: true })
        let writer = new SegmentWriter(folder, keep)
        writer.beginRun(1, 1)
        for (const [at, { stream, text, reopen }] of chunks.entries()) {
          writer.append(stream, Buffer.from(text), at)
          if (!reopen) continue
          writer.close()
          writer = new SegmentWriter(folder, keep)
        }
        writer.endRun(chunks.length)
        writer.close()
        const logs = await read(folder)
        for (const stream of ['stdout', 'stderr'] as const) {
          const whole = chunks.flatMap((each) => (each.stream === stream ? [each.text] : [])).join('')
          const lines = whole.split('\n')
          if (lines.at(-1) === '') lines.pop()
          expect(
            logs.flatMap((log) => (log.type === 'lines' && log.stream === stream ? linesOf(log.text) : [])),
          ).toEqual(lines)
        }
        const at = pick % Math.max(1, logs.length)
        const cursor = logs[at]?.cursor
        if (cursor === undefined) return
        const rest = await read(folder, { cursor })
        expect(rest.flatMap(said).sort()).toEqual(
          logs
            .slice(at + 1)
            .flatMap(said)
            .sort(),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('are continued after half a record as if it had never been', async () => {
    const first = new SegmentWriter(folder, keep)
    first.beginRun(1, 1)
    first.append('stdout', Buffer.from('one\n'), 1)
    const { offset } = first.state.stdout
    first.append('stdout', Buffer.from('two\n'), 1)
    first.close()
    const [name = ''] = readdirSync(folder)
    truncateSync(join(folder, name), statSync(join(folder, name)).size - 3)
    const second = new SegmentWriter(folder, keep)
    expect(second.state.stdout.offset).toBe(offset)
    expect(second.state.run).toBe(1)
    second.append('stdout', Buffer.from('two\n'), 2)
    second.close()
    expect((await read(folder)).flatMap(said)).toEqual(['stdout one', 'stdout two'])
  })

  it('are read while the end of them is still being written', async () => {
    const writer = new SegmentWriter(folder, keep)
    writer.append('stdout', Buffer.from('one\n'), 1)
    const [name = ''] = readdirSync(folder)
    appendFileSync(join(folder, name), Buffer.from([0xa7, 1, 0]))
    expect((await read(folder)).flatMap(said)).toEqual(['stdout one'])
    writer.close()
  })

  it('are dropped from the oldest on, never in the middle of what is told', async () => {
    const writer = new SegmentWriter(folder, 256 << 10)
    const line = (number: number): string => `${number} ${'x'.repeat(990)}\n`
    for (let number = 0; number < 1000; number += 1) {
      // Cut in the middle of lines, so that segments begin there too.
      const bytes = Buffer.from(line(number))
      writer.append('stdout', bytes.subarray(0, 500), number)
      writer.append('stdout', bytes.subarray(500), number)
    }
    writer.gap('something is missing', 1000)
    writer.close()
    const logs = await read(folder)
    const numbers = logs.flatMap((log) =>
      log.type === 'lines' ? linesOf(log.text).map((text) => Number(text.split(' ')[0])) : [],
    )
    expect(numbers.length).toBeGreaterThan(200)
    expect(numbers.length).toBeLessThan(300)
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 1000 - numbers.length + at))
    expect(logs.at(-1)).toMatchObject({ type: 'gap', message: 'something is missing' })
    expect(await read(folder, { cursor: logs.at(-1)?.cursor ?? '' })).toEqual([])
    const late = await read(folder, { cursor: '0.0.0' })
    expect(late[0]?.type).toBe('gap')
    expect(late.slice(1).flatMap(said)).toEqual(logs.flatMap(said))
    expect((await read(folder, { tail: 5 })).flatMap(said)).toEqual(logs.flatMap(said).slice(-5))
    expect(segmentsIn(readdirSync(folder)).length).toBeLessThan(6)
  })

  it('are told in batches of whole lines, none larger than it should be, and read on behind each of them', async () => {
    const writer = new SegmentWriter(folder, keep)
    const lines = Array.from({ length: 9000 }, (_, number) => `${number} ${'ü'.repeat(number % 50)}`)
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    for (let from = 0; from < bytes.length; from += 200_001) {
      writer.append('stdout', bytes.subarray(from, from + 200_001), from)
    }
    writer.close()
    const logs = await read(folder)
    expect(logs.flatMap(said)).toEqual(lines.map((line) => `stdout ${line}`))
    expect(logs.length).toBeLessThan(20)
    for (const [at, log] of logs.entries()) {
      expect(log.type === 'lines' && log.text.length <= lineBatch).toBe(true)
      expect(await read(folder, { cursor: log.cursor })).toEqual(logs.slice(at + 1))
    }
  })

  it('tell a line that is longer than any should be in pieces', async () => {
    const writer = new SegmentWriter(folder, keep)
    for (let each = 0; each < 10; each += 1) writer.append('stdout', Buffer.alloc(100_000, 'x'), 1)
    writer.append('stdout', Buffer.from('\n'), 1)
    writer.close()
    const logs = await read(folder)
    expect(logs.length).toBeGreaterThan(2)
    const texts = logs.flatMap((log) => (log.type === 'lines' ? linesOf(log.text) : []))
    expect(texts.reduce((sum, { length }) => sum + length, 0)).toBe(1_000_000)
  })
})
