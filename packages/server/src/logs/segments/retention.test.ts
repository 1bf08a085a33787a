import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folder.ts'
import { append, call, sourceOf, storeAt, texts } from '../testing/store.ts'
import { expendable, type KeptSegment } from './retention.ts'

const segment = (path: string, writtenAt: number, bytes: number, isActive = false): KeptSegment => ({
  path,
  writtenAt,
  bytes,
  isActive,
})
const bounds = { maxBytes: 100, maxAgeMs: 1000, now: 5000 }

describe('what is kept of logs', () => {
  it.each([
    ['all of it while it is little and new', [segment('a', 4500, 50), segment('b', 4600, 50)], []],
    ['nothing that is too old', [segment('a', 3999, 1), segment('b', 4000, 1)], ['a']],
    ['the newest of too much', [segment('b', 4600, 60), segment('a', 4500, 60), segment('c', 4700, 30)], ['a']],
    ['what is being written, though it is old', [segment('a', 1, 90, true), segment('b', 4900, 60)], ['b']],
  ])('is %s', (_, segments, going) => {
    expect(expendable(segments, bounds)).toEqual(going)
  })

  it('is bounded for each workload, however much is written', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path, { workloadBytes: 400_000 })
    const appenders = [await store.open(sourceOf('web', 0, 'e0')), await store.open(sourceOf('web', 1, 'e1'))]
    for (let at = 1; at <= 60; at += 1) {
      for (const appender of appenders) await append(appender, [[at, `${at} ${'x'.repeat(20_000)}`]])
    }
    const kept = await texts(store)
    expect(kept.length * 20_000).toBeLessThan(600_000)
    expect(kept.length * 20_000).toBeGreaterThan(200_000)
    expect(kept.at(-1)).toMatch(/^60 /)
    expect(appenders.map(({ cursor }) => cursor)).toEqual(['60', '60'])
  })

  it('leaves no folder behind of a workload whose logs are all too old', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path, { maxAgeMs: Number.NEGATIVE_INFINITY })
    const appender = await store.open(sourceOf('web', 0, 'e0'))
    await append(appender, [[1, 'one']])
    await store.sweep(call)
    expect(await texts(store)).toEqual(['one'])
    await appender.close()
    await store.sweep(call)
    expect(await readdir(folder.path)).toEqual([])
  })
})
