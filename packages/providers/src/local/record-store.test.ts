import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { RecordStore } from './record-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'gantry-records-'))
afterAll(() => rmSync(folder, { recursive: true }))

let number = 0
async function store(path = join(folder, String(++number))) {
  const records = new RecordStore<{ readonly name: string }>(path)
  await records.load()
  return { records, path }
}

describe('records as files', () => {
  it('are there again for whoever comes later, and for nobody else', async () => {
    const { records, path } = await store()
    await records.put('one', { name: 'first' })
    await records.put('two', { name: 'second' })
    await records.put('one', { name: 'changed' })
    await records.delete('two')
    const { records: later } = await store(path)
    expect([later.values(), later.get('two')]).toEqual([[{ name: 'changed' }], undefined])
    expect([statSync(path).mode & 0o777, statSync(join(path, 'one.json')).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it('that were not finished were never there', async () => {
    const { path } = await store()
    writeFileSync(join(path, 'one.json.draft'), '{"na')
    const { records } = await store(path)
    expect([records.values(), readdirSync(path)]).toEqual([[], []])
  })

  it('that are only noted are there at once, and settle with the others', async () => {
    const { records, path } = await store()
    await records.note('one', { name: 'noted' })
    await records.note('one', { name: 'noted again' })
    expect((await store(path)).records.values()).toEqual([{ name: 'noted again' }])
    await records.note('gone', { name: 'before it settled' })
    await records.delete('gone')
    await records.settled()
    expect((await store(path)).records.values()).toEqual([{ name: 'noted again' }])
  })

  it('whose content was lost with the power were never there', async () => {
    const { path } = await store()
    writeFileSync(join(path, 'one.json'), '')
    const { records } = await store(path)
    expect([records.values(), readdirSync(path)]).toEqual([[], []])
  })

  it('that somebody else has written are seen when they are looked for', async () => {
    const { records, path } = await store()
    writeFileSync(join(path, 'one.json'), '{"name":"theirs"}')
    expect([records.get('one'), await records.look('one'), await records.look('two')]).toEqual([
      undefined,
      { name: 'theirs' },
      undefined,
    ])
  })

  it('that cannot be read are named', async () => {
    const { path } = await store()
    writeFileSync(join(path, 'one.json'), 'not json')
    await expect(store(path)).rejects.toMatchObject({
      reason: 'engine_refused',
      message: expect.stringContaining('one.json'),
    })
  })
})
