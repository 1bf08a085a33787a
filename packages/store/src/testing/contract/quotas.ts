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

export function quotasContract(make: MakeSubject): void {
  describe('quotas', () => {
    const store = sharedStore(make)

    it('count what objects say they use, and give it back however they go', async () => {
      const { tenant, key } = freshTenant()
      const used = () => store().usage(system, tenant, call)
      const owner = await made(store(), key('one'), { usage: { cpu: 250n, memory: 2n ** 60n } })
      expect(await used()).toEqual({ cpu: 250n, memory: 2n ** 60n })
      await write(store(), replace(key('one'), { size: 2 }, { usage: { cpu: 100n, memory: 2n ** 60n } }))
      const ownerRefs = [{ kind: 'Thing', name: 'one', uid: owner.metadata.uid }]
      await made(store(), key('child'), { usage: { cpu: 50n }, ownerRefs })
      await made(store(), key('held'), { usage: { cpu: 7n }, ownerRefs, finalizers: ['f'] })
      expect(await used()).toEqual({ cpu: 157n, memory: 2n ** 60n })
      await write(store(), replace(key('one'), { size: 3 }))
      await write(store(), { op: 'delete', key: key('one') })
      expect(await used()).toEqual({ cpu: 7n, memory: 0n })
      await write(store(), { op: 'removeFinalizer', key: key('held'), finalizer: 'f' })
      expect(await used()).toEqual({ cpu: 0n, memory: 0n })
    })

    it('refuse what would go over, saying limit, used and asked', async () => {
      const { tenant, key } = freshTenant()
      const limits = [{ tenant, counter: 'cpu', limit: 10n }]
      await store().write(system, [create(key('one'), { usage: { cpu: 6n } })], { limits }, call)
      const over = store().write(system, [create(key('two'), { usage: { cpu: 5n } })], { limits }, call)
      await expect(over).rejects.toMatchObject({
        kind: 'quota_exceeded',
        issues: [{ path: 'limits.cpu', message: 'limit 10, used 6, asked 5 more' }],
      })
      expect(await store().read(system, key('two'), call)).toBeUndefined()
      const exact = [create(key('two'), { usage: { cpu: 4n } })]
      expect((await store().write(system, exact, { limits }, call)).results[0]?.did).toBe('created')
    })

    it('never stop anybody from using less, also when the limit was lowered below what is used', async () => {
      const { tenant, key } = freshTenant()
      const limits = [{ tenant, counter: 'cpu', limit: 1n }]
      await made(store(), key('one'), { usage: { cpu: 10n } })
      const less = [replace(key('one'), { size: 1 }, { usage: { cpu: 5n } })]
      expect((await store().write(system, less, { limits }, call)).results[0]?.did).toBe('configured')
      const swap = [{ op: 'delete', key: key('one') } as const, create(key('two'), { usage: { cpu: 5n } })]
      expect((await store().write(system, swap, { limits }, call)).results).toHaveLength(2)
    })

    it('hold against a hundred writers at once', async () => {
      const { tenant, key } = freshTenant()
      const limits = [{ tenant, counter: 'things', limit: 30n }]
      const all = Array.from({ length: 100 }, (_, n) =>
        store().write(system, [create(key(`n-${n}`), { usage: { things: 1n } })], { limits }, call),
      )
      const settled = await Promise.allSettled(all)
      expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(30)
      expect(await store().usage(system, tenant, call)).toEqual({ things: 30n })
      const refusal = settled.find((one) => one.status === 'rejected')
      expect(refusal?.reason).toEqual(refused('quota_exceeded'))
    })
  })
}
