import { describe, expect, it } from 'vitest'
import {
  call,
  create,
  freshTenant,
  type MakeSubject,
  made,
  refused,
  replace,
  sharedStore,
  system,
  write,
} from './subject.ts'

export function conditionsContract(make: MakeSubject): void {
  describe('what a write needs of others', () => {
    const store = sharedStore(make)

    it('must be there, also where the scope cannot see it', async () => {
      const { tenant, key } = freshTenant()
      const home = { kind: 'Home', name: tenant }
      const requires = [home]
      const into = (name: string) => store().write({ tenant }, [create(key(name))], { requires }, call)
      await expect(into('one')).rejects.toEqual(refused('object_not_found'))
      await made(store(), home)
      expect((await into('one')).results[0]?.did).toBe('created')
      await write(store(), { op: 'delete', key: home })
      await expect(into('two')).rejects.toEqual(refused('object_not_found'))
      expect(await store().read(system, key('two'), call)).toBeUndefined()
    })

    it('may be made by the same write, and must not be about to go', async () => {
      const { tenant, key } = freshTenant()
      const home = { kind: 'Home', name: tenant }
      const both = [create(key('one')), create(home, { finalizers: ['f'] })]
      expect((await store().write(system, both, { requires: [home] }, call)).results).toHaveLength(2)
      await write(store(), { op: 'delete', key: home })
      const late = store().write({ tenant }, [create(key('two'))], { requires: [home] }, call)
      await expect(late).rejects.toEqual(refused('being_deleted'))
    })

    it('may be that it has not changed since it was read', async () => {
      const { tenant, key } = freshTenant()
      const home = { kind: 'Home', name: tenant }
      await made(store(), home)
      const into = (name: string, generation: number) =>
        store().write({ tenant }, [create(key(name))], { requires: [{ ...home, generation }] }, call)
      expect((await into('one', 1)).results[0]?.did).toBe('created')
      await write(store(), replace(home, { size: 2 }))
      await expect(into('two', 1)).rejects.toEqual(refused('generation_conflict'))
      expect((await into('two', 2)).results[0]?.did).toBe('created')
    })

    it('may be that a tenant uses nothing, counted after the write', async () => {
      const { tenant, key } = freshTenant()
      const home = { kind: 'Home', name: tenant }
      await made(store(), home)
      await made(store(), key('one'), { usage: { things: 2n } })
      const unused = [{ tenant, counters: ['things', 'others'] }]
      const away = { op: 'delete', key: home } as const
      await expect(store().write(system, [away], { unused }, call)).rejects.toMatchObject({
        reason: 'tenant_not_empty',
        message: expect.stringContaining('still has 2 things'),
      })
      const all = [away, { op: 'delete', key: key('one') } as const]
      expect((await store().write(system, all, { unused }, call)).results.map(({ did }) => did)).toEqual([
        'deleted',
        'deleted',
      ])
    })

    it('holds when one goes while a hundred come', async () => {
      const { tenant, key } = freshTenant()
      const home = { kind: 'Home', name: tenant }
      await made(store(), home)
      const come = Array.from({ length: 100 }, (_, n) =>
        store().write({ tenant }, [create(key(`n-${n}`), { usage: { things: 1n } })], { requires: [home] }, call),
      )
      const unused = [{ tenant, counters: ['things'] }]
      const go = store().write(system, [{ op: 'delete', key: home }], { unused }, call)
      const [gone, ...came] = await Promise.allSettled([go, ...come])
      const { things = 0n } = await store().usage(system, tenant, call)
      expect(things).toBe(BigInt(came.filter(({ status }) => status === 'fulfilled').length))
      // Either the home is gone and nobody came, or somebody came and it is still there.
      expect(gone?.status === 'fulfilled').toBe(things === 0n)
    })
  })
}
