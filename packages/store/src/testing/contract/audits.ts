import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditDraft } from '../../audit/entry.ts'
import type { Store } from '../../store.ts'
import { call, create, freshTenant, type MakeSubject, type StoreSubject, system } from './subject.ts'

const draft = (action: string, more: Partial<AuditDraft> = {}): AuditDraft => ({
  actor: 'anna',
  action,
  outcome: 'done',
  ...more,
})

export function auditsContract(make: MakeSubject): void {
  describe('audit', () => {
    let subject: StoreSubject
    let store: Store
    beforeEach(async () => {
      subject = await make()
      store = await subject.open()
    })
    afterEach(async () => {
      await store.close()
      await subject.dispose()
    })

    const record = (action: string, more: Partial<AuditDraft> = {}) =>
      store.write(system, [], { audit: draft(action, more) }, call)

    it('records with a write what it did, in the same transaction', async () => {
      const { tenant, key } = freshTenant()
      const audit = draft('create', {
        tenant,
        target: key('one'),
        from: '127.0.0.1',
        requestId: 'r1',
        detail: { diff: ['x'] },
      })
      const { results } = await store.write(system, [create(key('one'))], { audit }, call)
      await expect(store.write(system, [create(key('one'))], { audit }, call)).rejects.toThrow()
      const { entries } = await store.audit(system, { limit: 10 }, call)
      const uid = results[0]?.object.metadata.uid
      const effects = [{ key: key('one'), uid, did: 'created', version: 1 }]
      expect(entries).toEqual([
        { ...audit, sequence: 1, at: expect.any(String), hash: expect.stringMatching(/^[0-9a-f]{64}$/), effects },
      ])
    })

    it('is listed in pages, oldest or newest first, by tenant', async () => {
      for (let n = 1; n <= 7; n += 1) await record(`a${n}`, n % 2 === 0 ? { tenant: 'even' } : {})
      const first = await store.audit(system, { limit: 3 }, call)
      expect(first.entries.map((entry) => entry.action)).toEqual(['a1', 'a2', 'a3'])
      const second = await store.audit(system, { limit: 4, continue: String(first.continue) }, call)
      expect(second.entries.map((entry) => entry.action)).toEqual(['a4', 'a5', 'a6', 'a7'])
      expect(second.continue).toBeUndefined()
      const newest = await store.audit(system, { limit: 2, order: 'newest' }, call)
      expect(newest.entries.map((entry) => entry.action)).toEqual(['a7', 'a6'])
      const even = await store.audit({ tenant: 'even' }, { limit: 9, order: 'newest' }, call)
      expect(even.entries.map((entry) => entry.action)).toEqual(['a6', 'a4', 'a2'])
      await expect(store.audit(system, { limit: 0 }, call)).rejects.toMatchObject({ reason: 'schema' })
      await expect(store.audit(system, { limit: 1, continue: 'x' }, call)).rejects.toMatchObject({ reason: 'schema' })
    })

    it('is intact after many writers, and after opening again', async () => {
      expect(await store.verifyAudit(system, call)).toMatchObject({ intact: true, entries: 0 })
      await Promise.all(Array.from({ length: 50 }, (_, n) => record(`a${n}`)))
      const verdict = await store.verifyAudit(system, call)
      expect(verdict).toMatchObject({ intact: true, entries: 50 })
      await store.close()
      store = await subject.open()
      expect(await store.verifyAudit(system, call)).toEqual(verdict)
      await record('later')
      expect(await store.verifyAudit(system, call)).toMatchObject({ intact: true, entries: 51 })
    })

    it.each([
      [
        'content that was changed',
        "UPDATE audit SET content = replace(content, 'anna', 'berta') WHERE sequence = 3",
        3,
      ],
      ['an entry that was taken out', 'DELETE FROM audit WHERE sequence = 2', 2],
      ['a tail that was cut off', 'DELETE FROM audit WHERE sequence > 3', 4],
      ['an entry moved to another tenant', "UPDATE audit SET tenant = 'other' WHERE sequence = 4", 4],
      ['a hash that was changed', "UPDATE audit SET hash = '00' WHERE sequence = 5", 5],
      ['everything taken away', 'DELETE FROM audit', 1],
    ])('names the first entry that is broken: %s', async (_, sql, sequence) => {
      for (let n = 1; n <= 5; n += 1) await record(`a${n}`)
      await subject.tamper(sql)
      expect(await store.verifyAudit(system, call)).toEqual({ intact: false, sequence, why: expect.any(String) })
    })
  })
}
