import { describe, expect, it } from 'vitest'
import type { Command } from '../../command.ts'
import type { SystemScope } from '../../scope.ts'
import {
  brief,
  call,
  create,
  freshTenant,
  type MakeSubject,
  made,
  names,
  refused,
  replace,
  sharedStore,
  system,
  take,
  untilBookmark,
} from './subject.ts'

export function scopesContract(make: MakeSubject): void {
  describe('a tenant’s scope', () => {
    const store = sharedStore(make)

    it('reads, lists, counts and watches its own', async () => {
      const [mine, other] = [freshTenant(), freshTenant()]
      const { metadata } = await made(store(), other.key('theirs'), { usage: { cpu: 1n } })
      await made(store(), mine.key('mine'), { usage: { cpu: 2n } })
      expect(await store().read(mine, mine.key('mine'), call)).toBeDefined()
      expect(names((await store().list(mine, { kind: 'Thing', limit: 10 }, call)).items)).toEqual(['mine'])
      expect(await store().usage(mine, mine.tenant, call)).toEqual({ cpu: 2n })
      const seen = await take(store().changes(mine, { since: metadata.resourceVersion - 1 }, call), 1)
      expect(seen.map(brief)).toEqual(['put mine'])
    })

    it('finds nothing of another tenant or of the system, by whatever name it asks', async () => {
      const [mine, other] = [freshTenant(), freshTenant()]
      const { metadata } = await made(store(), other.key('theirs'), { usage: { cpu: 1n }, labels: { a: 'b' } })
      await made(store(), { kind: 'Thing', name: `system-${mine.tenant}` })
      await store().write(
        system,
        [],
        { audit: { actor: 'a', action: 'b', outcome: 'done', tenant: other.tenant } },
        call,
      )
      expect(await store().read(mine, other.key('theirs'), call)).toBeUndefined()
      expect(await store().read(mine, { kind: 'Thing', name: `system-${mine.tenant}` }, call)).toBeUndefined()
      for (const tenant of [other.tenant, '', '-', '*']) {
        const query = { kind: 'Thing', tenant, limit: 10 }
        expect((await store().list(mine, query, call)).items).toEqual([])
        expect((await store().list(mine, { ...query, labelSelector: 'a=b' }, call)).items).toEqual([])
        expect(await store().usage(mine, tenant, call)).toEqual({})
        expect((await store().audit(mine, { limit: 10, tenant }, call)).entries).toEqual([])
        const watched = untilBookmark(store().changes(mine, { tenant, since: metadata.resourceVersion - 1 }, call))
        expect((await watched).map(brief)).toEqual(['bookmark'])
      }
    })

    it('gets the same refusal for what is foreign as for what is absent', async () => {
      const [mine, other] = [freshTenant(), freshTenant()]
      const { metadata } = await made(store(), other.key('theirs'), { finalizers: ['f'] })
      const on = (key: ReturnType<typeof other.key>): Command[] => [
        replace(key, { size: 2 }),
        { op: 'status', key, status: {}, ifVersion: metadata.resourceVersion },
        { op: 'delete', key },
        { op: 'addFinalizer', key, finalizer: 'g' },
        { op: 'removeFinalizer', key, finalizer: 'f' },
      ]
      const [foreign, absent] = [on(other.key('theirs')), on(other.key('absent'))]
      for (const [at, command] of foreign.entries()) {
        const answer = async (one: Command | undefined) =>
          await store()
            .write(mine, one ? [one] : [], {}, call)
            .then(
              () => 'written',
              (fault: Error) => fault.message.replace('absent', 'theirs'),
            )
        expect(await answer(command)).toBe(await answer(absent[at]))
        await expect(store().write(mine, [command], {}, call)).rejects.toEqual(
          refused('object_not_found', 'commands[0]'),
        )
      }
      expect(await store().read(system, other.key('theirs'), call)).toMatchObject({ metadata })
    })

    it('makes nothing outside of itself, whether something is there or not', async () => {
      const [mine, other] = [freshTenant(), freshTenant()]
      await made(store(), other.key('theirs'))
      const places = [other.key('theirs'), other.key('new'), { kind: 'Thing', name: `x-${mine.tenant}` }]
      for (const key of places) {
        await expect(store().write(mine, [create(key)], {}, call)).rejects.toEqual(refused('object_not_found'))
        const orCreate: Command = { op: 'replace', draft: { key, spec: 1 }, ifAbsent: 'create' }
        await expect(store().write(mine, [orCreate], {}, call)).rejects.toEqual(refused('object_not_found'))
      }
      expect(await store().read(system, other.key('new'), call)).toBeUndefined()
    })

    it('cannot own across tenants, nor write audit in another’s name', async () => {
      const [mine, other] = [freshTenant(), freshTenant()]
      const theirs = await made(store(), other.key('theirs'))
      const ofSystem = await made(store(), { kind: 'Tenant', name: mine.tenant })
      for (const owner of [theirs, ofSystem]) {
        const ownerRefs = [{ kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid }]
        await expect(store().write(mine, [create(mine.key('one'), { ownerRefs })], {}, call)).rejects.toEqual(
          refused('object_not_found'),
        )
      }
      await store().write(mine, [], { audit: { actor: 'a', action: 'b', outcome: 'done', tenant: other.tenant } }, call)
      expect((await store().audit(system, { limit: 10, tenant: other.tenant }, call)).entries).toEqual([])
      expect((await store().audit(mine, { limit: 10 }, call)).entries).toHaveLength(1)
    })

    it('is not made a system’s by looking like one', async () => {
      const fake = { ...system, tenant: 'x' } as unknown as SystemScope
      await expect(store().verifyAudit(fake, call)).rejects.toThrow()
      await expect(store().compact(fake, { keepChanges: 0 }, call)).rejects.toThrow()
      expect(() => store().leases(fake)).toThrow()
      const other = freshTenant()
      await made(store(), other.key('theirs'))
      expect(await store().read(fake, other.key('theirs'), call)).toBeUndefined()
    })
  })
}
