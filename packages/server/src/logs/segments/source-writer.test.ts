import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../source.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { append, shop, sourceOf, storeAt, texts } from '../testing/store.ts'

const source = sourceOf('web', 0, 'engine-1')

async function lastSegment(folder: string): Promise<string> {
  const within = join(folder, shop.tenant, shop.uid, folderOf(source))
  return join(within, (await readdir(within)).sort().at(-1) ?? '')
}

describe('a log on disk', () => {
  it('is text that people can read', async () => {
    await using folder = await temporaryFolder()
    const appender = await storeAt(folder.path).open(source)
    await append(appender, [
      [1000, 'hello'],
      [1005, 'world'],
    ])
    const text = await readFile(await lastSegment(folder.path), 'utf8')
    expect(text).toMatch(/^#gantry-logs 1 .*\n#\d+ [0-9a-f]+ 2 1000 1005 "2"\no0 hello\no5 world\n$/)
    expect((await stat(await lastSegment(folder.path))).mode & 0o777).toBe(0o600)
  })

  it('goes on behind the last whole block, wherever it was torn', async () => {
    await using folder = await temporaryFolder()
    const first = await storeAt(folder.path).open(source)
    await append(first, [[1, 'one']])
    const path = await lastSegment(folder.path)
    const whole = await readFile(path)
    await append(first, [[2, 'two']])
    const both = await readFile(path)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: whole.length, max: both.length - 1 }), async (size) => {
        await writeFile(path, both)
        await truncate(path, size)
        const store = storeAt(folder.path)
        const again = await store.open(source)
        expect(again.cursor).toBe('1')
        await append(again, [[3, 'three']])
        expect(await texts(store)).toEqual(['one', 'three'])
      }),
      { numRuns: 30 },
    )
  })

  it('is not fooled by a block that was written over', async () => {
    await using folder = await temporaryFolder()
    const first = await storeAt(folder.path).open(source)
    await append(first, [[1, 'one']])
    await append(first, [[2, 'two']])
    const path = await lastSegment(folder.path)
    await writeFile(path, (await readFile(path, 'utf8')).replace('two', 'tow'))
    const store = storeAt(folder.path)
    expect(await texts(store)).toEqual(['one'])
    expect((await store.open(source)).cursor).toBe('1')
  })

  it('takes a header that claims too much for none', async () => {
    await using folder = await temporaryFolder()
    await append(await storeAt(folder.path).open(source), [[1, 'one']])
    await appendFile(await lastSegment(folder.path), '#9999999999 0 1 2 2 "9"\no0 x\n')
    const store = storeAt(folder.path)
    expect((await store.open(source)).cursor).toBe('1')
  })

  it('begins anew where not even the start of a segment was written', async () => {
    await using folder = await temporaryFolder()
    await append(await storeAt(folder.path).open(source), [[1, 'one']])
    const path = await lastSegment(folder.path)
    await writeFile(join(path, '..', '00000002.5.log'), '#gantry-lo')
    const store = storeAt(folder.path)
    expect((await store.open(source)).cursor).toBe('1')
    expect(await texts(store)).toEqual(['one'])
  })

  it('carries the cursor over into the next segment', async () => {
    await using folder = await temporaryFolder()
    const long = 'x'.repeat(70_000)
    const limits = { segmentBytes: 1 }
    const first = await storeAt(folder.path, limits).open(source)
    for (let at = 1; at <= 3; at += 1) await append(first, [[at, `${at}${long}`]])
    const again = storeAt(folder.path, limits)
    expect((await again.open(source)).cursor).toBe('3')
    expect((await texts(again)).map((text) => text[0])).toEqual(['1', '2', '3'])
    expect(await readdir(join(await lastSegment(folder.path), '..'))).toHaveLength(3)
  })

  it('refuses a second writer of the same source', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path)
    const first = await store.open(source)
    await expect(store.open(source)).rejects.toMatchObject({ kind: 'internal' })
    await first.close()
    await store.open(source)
  })
})
