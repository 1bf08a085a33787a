import { describe, expect, it } from 'vitest'
import type { EngineLog, LogFrom } from '../log-line.ts'
import { linesOf } from '../log-text.ts'
import { LogBuffer } from './log-buffer.ts'

const { signal } = new AbortController()

function filled(count: number): LogBuffer {
  const buffer = new LogBuffer()
  for (let number = 0; number < count; number += 1) buffer.write('stdout', `line ${number}`, number)
  return buffer
}

async function read(buffer: LogBuffer, from: LogFrom): Promise<EngineLog[]> {
  const found: EngineLog[] = []
  for await (const entry of buffer.read(from, signal, 0)) found.push(entry)
  return found
}

const texts = (entries: readonly EngineLog[]): string[] =>
  entries.flatMap((entry) => (entry.type === 'lines' ? linesOf(entry.text) : [`gap: ${entry.message}`]))

describe('the log of a simulated process', () => {
  it('reads on after a cursor, neither losing nor repeating', async () => {
    const buffer = filled(5)
    const cursor = (await read(buffer, { follow: false }))[2]?.cursor ?? ''
    expect(texts(await read(buffer, { cursor, follow: false }))).toEqual(['line 3', 'line 4'])
  })

  it('puts a gap where lines were discarded, for the first reader and for one who comes back', async () => {
    const buffer = filled(2500)
    const all = texts(await read(buffer, { follow: false }))
    expect(all[0]).toBe('gap: 1000 lines were discarded here')
    expect(all[1]).toBe('line 1000')
    const back = texts(await read(buffer, { cursor: '499', follow: false }))
    expect(back.slice(0, 2)).toEqual(['gap: 500 lines were discarded here', 'line 1000'])
    expect(texts(await read(buffer, { cursor: '999', follow: false }))[0]).toBe('line 1000')
  })

  it('reads the tail, and what came since a time', async () => {
    const buffer = filled(5)
    expect(texts(await read(buffer, { tail: 2, follow: false }))).toEqual(['line 3', 'line 4'])
    expect(texts(await read(buffer, { tail: 0, follow: false }))).toEqual([])
    expect(texts(await read(buffer, { since: new Date(3), follow: false }))).toEqual(['line 3', 'line 4'])
  })

  it('ends a follower after the last line when the replica is gone', async () => {
    const buffer = filled(1)
    const following = read(buffer, { follow: true })
    buffer.write('stderr', 'last words', 9)
    buffer.end()
    expect(texts(await following)).toEqual(['line 0', 'last words'])
    expect(texts(await read(buffer, { follow: true }))).toEqual(['line 0', 'last words'])
  })

  it('throws to its followers when the connection is lost', async () => {
    const buffer = filled(1)
    const following = read(buffer, { follow: true })
    buffer.sever(new Error('lost'))
    await expect(following).rejects.toThrow('lost')
  })
})
