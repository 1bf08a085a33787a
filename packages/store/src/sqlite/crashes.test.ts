import { describe, expect, it } from 'vitest'
import { surviveKills } from '../testing/crashes.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'

const lanes = 2
const kills = 200

describe('a process killed while it writes to SQLite', () => {
  it(`leaves everything acknowledged, and nothing by halves, ${kills} times`, { timeout: 600_000 }, async () => {
    const all = Array.from({ length: lanes }, async () => {
      const subject = await sqliteSubject()
      await surviveKills(subject, `sqlite:${subject.file}`, kills / lanes)
      await subject.dispose()
    })
    const settled = await Promise.allSettled(all)
    expect(settled.filter((one) => one.status === 'rejected')).toEqual([])
  })
})
