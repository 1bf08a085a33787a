import { describe, expect, it } from 'vitest'
import { refused } from '../testing/contract/subject.ts'
import { spawnProcess } from '../testing/spawn-process.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'

const firstLine = async (lines: AsyncIterableIterator<string>): Promise<Record<string, unknown>> =>
  JSON.parse((await lines.next()).value ?? '{}') as Record<string, unknown>

describe('a data folder', () => {
  it('is one process’s: the next one is told the name and pid of the first, and gets in when that dies', async () => {
    const subject = await sqliteSubject()
    const first = spawnProcess('holder', `sqlite:${subject.file}`)
    expect(await firstLine(first.lines)).toEqual({ open: first.pid })
    const second = spawnProcess('holder', `sqlite:${subject.file}`)
    const refusal = await firstLine(second.lines)
    expect(refusal.reason).toBe('store_locked')
    expect(refusal.message).toContain(`holder.js (pid ${first.pid} on `)
    await second.ended
    await expect(subject.open()).rejects.toEqual(refused('store_locked'))
    first.kill()
    await first.ended
    await (await subject.open()).close()
    await subject.dispose()
  })

  it('cannot be opened twice by one process either, until it is closed', async () => {
    const subject = await sqliteSubject()
    const store = await subject.open()
    await expect(subject.open()).rejects.toMatchObject({ message: expect.stringContaining(`pid ${process.pid}`) })
    await store.close()
    await (await subject.open()).close()
    await subject.dispose()
  })
})
