import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../open.ts'
import { schemaVersion } from '../schema/migrations.ts'
import { call, create, freshTenant, refused, system } from '../testing/contract/subject.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'

const digest = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

async function filled() {
  const subject = await sqliteSubject()
  const store = await subject.open()
  const { key } = freshTenant()
  const commands = Array.from({ length: 300 }, (_, n) => create(key(`n-${n}`), { spec: { text: 'x'.repeat(500) } }))
  await store.write(system, commands, {}, call)
  await store.close()
  return subject
}

describe('a database file', () => {
  it('is refused when it is damaged, with what to do, and left as it was', async () => {
    const subject = await filled()
    const bytes = await readFile(subject.file)
    const damages = {
      'not a database': Buffer.from('this is not a database, but something else altogether'),
      'garbage in the middle': Buffer.concat([
        bytes.subarray(0, 8192),
        Buffer.alloc(40_960, 0xa5),
        bytes.subarray(49_152),
      ]),
      'cut off': bytes.subarray(0, bytes.length - 20_000),
      'a damaged header': Buffer.concat([Buffer.alloc(100, 7), bytes.subarray(100)]),
    }
    for (const [damage, content] of Object.entries(damages)) {
      await writeFile(subject.file, content)
      const before = await digest(subject.file)
      const opening = subject.open()
      await expect(opening, damage).rejects.toEqual(refused('store_corrupt'))
      await expect(opening, damage).rejects.toThrow(/restore a backup/)
      expect(await digest(subject.file), damage).toBe(before)
    }
    await writeFile(subject.file, bytes)
    await (await subject.open()).close()
    await subject.dispose()
  })

  it('is refused when something else than Gantry has made it', async () => {
    const subject = await sqliteSubject()
    await subject.tamper('CREATE TABLE accounts (id INTEGER)')
    const before = await digest(subject.file)
    await expect(subject.open()).rejects.toEqual(refused('store_corrupt'))
    expect(await digest(subject.file)).toBe(before)
    await subject.dispose()
  })

  it('of a newer schema is refused, and left as it was', async () => {
    const subject = await filled()
    await subject.tamper(`INSERT INTO schema_version VALUES (${schemaVersion + 1}, 0); PRAGMA wal_checkpoint(TRUNCATE)`)
    const before = await digest(subject.file)
    await expect(subject.open()).rejects.toEqual(refused('store_too_new'))
    expect(await digest(subject.file)).toBe(before)
    await subject.dispose()
  })

  it('that is empty is as good as new', async () => {
    const subject = await sqliteSubject()
    await writeFile(subject.file, '')
    await (await subject.open()).close()
    await subject.dispose()
  })

  it('can be read by its owner only', async () => {
    const subject = await sqliteSubject()
    const store = await subject.open()
    await store.write(system, [create(freshTenant().key('one'))], {}, call)
    const folder = dirname(subject.file)
    for (const name of await readdir(folder)) {
      if (name.startsWith('store.sqlite'))
        expect([name, (await stat(`${folder}/${name}`)).mode & 0o077]).toEqual([name, 0])
    }
    await store.close()
    await subject.dispose()
  })

  it('is not needed by a store in memory, and other addresses are refused', async () => {
    const store = await openStore({ database: 'sqlite::memory:' }, call)
    const { key } = freshTenant()
    await store.write(system, [create(key('one'))], {}, call)
    expect(await store.read(system, key('one'), call)).toBeDefined()
    await store.close()
    await expect(openStore({ database: 'mysql://somewhere' }, call)).rejects.toEqual(refused('schema', 'database'))
    await expect(openStore({ database: 'postgres://[' }, call)).rejects.toEqual(refused('schema', 'database'))
  })

  it('is not opened for a caller who has left', async () => {
    const reason = new Error('gone home')
    const subject = await sqliteSubject()
    const signal = AbortSignal.abort(reason)
    await expect(openStore({ database: `sqlite:${subject.file}` }, { signal })).rejects.toBe(reason)
    await subject.dispose()
  })
})
