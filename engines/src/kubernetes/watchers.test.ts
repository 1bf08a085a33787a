import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { allowWatchers } from './watchers.ts'

describe('how often files may be watched', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-watchers-'))
  afterAll(() => rm(folder, { recursive: true }))

  it.each([
    ['128', '2048', 'raised from 128 to 2048'],
    ['2048', '2048', undefined],
    ['65536', '65536', undefined],
  ])('is enough after %s: %s', async (before, after, said) => {
    const file = join(folder, `from-${before}`)
    await writeFile(file, `${before}\n`)
    const told = await allowWatchers(file)
    if (said === undefined) expect(told).toBeUndefined()
    else expect(told).toContain(said)
    expect((await readFile(file, 'utf8')).trim()).toBe(after)
  })

  it('is left as it is where nobody may say, and told', async () => {
    expect(await allowWatchers(join(folder, 'not', 'there'))).toContain('could not be raised')
  })
})
