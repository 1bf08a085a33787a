import { readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineLog } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { logLimits } from '../limits.ts'
import { Automaton } from '../mask/automaton.ts'
import { mask } from '../mask/marks.ts'
import { folderOf } from '../source.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { shop, sourceOf, storeAt, texts } from '../testing/store.ts'
import { Batch } from './batch.ts'

const source = sourceOf('web', 0, 'engine-1')
const limits = { ...logLimits, blockChars: 100, writeBytes: 1000, lineChars: 40 }

/** Ten lines at a time, numbered; the cursor is how many there were. */
const tenFrom = (number: number): EngineLog => ({
  type: 'lines',
  at: new Date(number),
  stream: 'stdout',
  text: Array.from({ length: 10 }, (_, at) => `line ${number + at}\n`).join(''),
  cursor: String(number + 10),
})

const upTo = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`)

describe('a batch of lines', () => {
  it('is written as several blocks at once, each with the cursor behind it, and goes on behind any that is whole', async () => {
    await using folder = await temporaryFolder()
    const first = await storeAt(folder.path).open(source)
    const batch = new Batch(first, limits, undefined)
    for (let number = 0; number < 50; number += 10) batch.add(tenFrom(number))
    await batch.flush()
    expect(first.cursor).toBe('50')
    const within = join(folder.path, shop.tenant, shop.uid, folderOf(source))
    const path = join(within, (await readdir(within))[0] ?? '')
    const cursors = (await readFile(path, 'utf8')).match(/(?<=^#\d.*)"\d+"$/gm)
    expect(cursors).toEqual(['"20"', '"40"', '"50"'])
    await truncate(path, (await readFile(path)).length - 120)
    const store = storeAt(folder.path)
    const again = await store.open(source)
    expect(again.cursor).toBe('20')
    const rest = new Batch(again, limits, undefined)
    for (let number = 20; number < 60; number += 10) rest.add(tenFrom(number))
    await rest.flush()
    expect(await texts(store)).toEqual(upTo(60))
  })

  it('is full when enough of it waits, and has nothing left once it is written', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path)
    const batch = new Batch(await store.open(source), limits, undefined)
    let number = 0
    for (; !batch.isFull; number += 10) batch.add(tenFrom(number))
    expect(number).toBeGreaterThan(50)
    await batch.flush()
    expect([batch.isFull, batch.hasLines]).toEqual([false, false])
    expect(await texts(store)).toEqual(upTo(number))
  })

  it('cuts lines that are too long, after it has hidden what is to be hidden', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path)
    const batch = new Batch(await store.open(source), limits, new Automaton(['secret-value']))
    const long = `${'x'.repeat(34)}secret-value${'y'.repeat(50)}`
    batch.add({ type: 'lines', at: new Date(0), stream: 'stdout', text: `short\n${long}\n\nend\n`, cursor: '1' })
    await batch.flush()
    const lines = await texts(store)
    expect(lines.every(({ length }) => length <= limits.lineChars)).toBe(true)
    expect(lines.join('\n')).toBe(
      `short\n${'x'.repeat(34)}${mask.slice(0, 6)}\n${mask.slice(6)}${'y'.repeat(38)}\n${'y'.repeat(12)}\n\nend`,
    )
  })
})
