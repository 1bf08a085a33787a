import { describe, expect, it } from 'vitest'
import { call, create, freshTenant, replace, system } from '../testing/contract/subject.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'
import { loadDriver } from './driver.ts'

describe('compaction', () => {
  it('leaves one change for each object and no more, also for those that move on after it', async () => {
    const subject = await sqliteSubject()
    const store = await subject.open()
    const { key } = freshTenant()
    const { DatabaseSync } = await loadDriver()
    const db = new DatabaseSync(subject.file, { readOnly: true })
    const changes = (): number => Number(db.prepare('SELECT count(*) AS count FROM changes').get()?.count)
    const compact = () => store.compact(system, { keepChanges: 0 }, call)
    const all = Array.from({ length: 50 }, (_, n) => key(`n-${n}`))
    await store.write(
      system,
      all.map((one) => create(one)),
      {},
      call,
    )
    await compact()
    expect(changes()).toBe(50)
    await store.write(
      system,
      all.map((one) => replace(one, { size: 2 })),
      {},
      call,
    )
    expect(changes()).toBe(50)
    await store.write(
      system,
      all.slice(0, 20).map((one) => ({ op: 'delete', key: one }) as const),
      {},
      call,
    )
    await compact()
    expect(changes()).toBe(30)
    db.close()
    await store.close()
    await subject.dispose()
  })
})
