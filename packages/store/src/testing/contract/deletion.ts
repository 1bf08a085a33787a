import type { GantryObject } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import {
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
  write,
} from './subject.ts'

const ownerOf = ({ kind, metadata }: GantryObject) => ({ kind, name: metadata.name, uid: metadata.uid })

export function deletionContract(make: MakeSubject): void {
  describe('deletion', () => {
    const store = sharedStore(make)

    it('removes at once what nothing holds, and a new object under the name is another one', async () => {
      const { key } = freshTenant()
      const first = await made(store(), key('one'))
      const gone = await write(store(), { op: 'delete', key: key('one') })
      expect(gone).toMatchObject({
        did: 'deleted',
        object: { metadata: { uid: first.metadata.uid, deletionRequestedAt: expect.any(String) } },
      })
      expect(await store().read(system, key('one'), call)).toBeUndefined()
      expect((await made(store(), key('one'))).metadata.uid).not.toBe(first.metadata.uid)
    })

    it('waits for every finalizer', async () => {
      const { key } = freshTenant()
      await made(store(), key('one'), { finalizers: ['a', 'a', 'b'] })
      expect((await write(store(), { op: 'delete', key: key('one') })).did).toBe('deleting')
      expect((await write(store(), { op: 'delete', key: key('one') })).did).toBe('unchanged')
      expect((await write(store(), { op: 'removeFinalizer', key: key('one'), finalizer: 'a' })).did).toBe('configured')
      expect((await write(store(), { op: 'removeFinalizer', key: key('one'), finalizer: 'a' })).did).toBe('unchanged')
      expect((await write(store(), { op: 'removeFinalizer', key: key('one'), finalizer: 'b' })).did).toBe('deleted')
      expect(await store().read(system, key('one'), call)).toBeUndefined()
    })

    it('lets status through meanwhile, but neither a new spec nor a new finalizer', async () => {
      const { key } = freshTenant()
      await made(store(), key('one'), { finalizers: ['a'] })
      const { object } = await write(store(), { op: 'delete', key: key('one') })
      await expect(write(store(), replace(key('one'), { size: 2 }))).rejects.toEqual(refused('being_deleted'))
      await expect(write(store(), { op: 'addFinalizer', key: key('one'), finalizer: 'b' })).rejects.toEqual(
        refused('being_deleted'),
      )
      const ifVersion = object.metadata.resourceVersion
      expect((await write(store(), { op: 'status', key: key('one'), status: { left: 1 }, ifVersion })).did).toBe(
        'configured',
      )
    })

    it('means the object that was looked at, not the next one under its name', async () => {
      const { key } = freshTenant()
      const first = await made(store(), key('one'), { finalizers: ['a'] })
      const ifUid = 'another'
      await expect(write(store(), { op: 'delete', key: key('one'), ifUid })).rejects.toEqual(
        refused('object_not_found'),
      )
      await expect(write(store(), { op: 'removeFinalizer', key: key('one'), finalizer: 'a', ifUid })).rejects.toEqual(
        refused('object_not_found'),
      )
      await expect(write(store(), { op: 'delete', key: key('one'), ifGeneration: 2 })).rejects.toEqual(
        refused('generation_conflict'),
      )
      expect((await write(store(), { op: 'delete', key: key('one'), ifUid: first.metadata.uid })).did).toBe('deleting')
      await expect(write(store(), { op: 'delete', key: key('none') })).rejects.toEqual(refused('object_not_found'))
    })

    it('passes on to everything owned, over generations, in the same transaction', async () => {
      const tenant = freshTenant()
      const { key } = tenant
      const root = await made(store(), key('root'))
      const child = await made(store(), key('child'), { ownerRefs: [ownerOf(root)] })
      await made(store(), key('held'), { ownerRefs: [ownerOf(root)], finalizers: ['f'] })
      await made(store(), key('grandchild'), { ownerRefs: [ownerOf(child)] })
      await made(store(), key('stranger'))
      const { resourceVersion } = await store().write(system, [{ op: 'delete', key: key('root') }], {}, call)
      const { items } = await store().list(system, { kind: 'Thing', tenant: tenant.tenant, limit: 10 }, call)
      expect(names(items)).toEqual(['held', 'stranger'])
      expect(items[0]?.metadata.deletionRequestedAt).toBeDefined()
      expect(items[1]?.metadata.deletionRequestedAt).toBeUndefined()
      expect(resourceVersion - root.metadata.resourceVersion).toBe(4 + 4)
      expect((await write(store(), { op: 'removeFinalizer', key: key('held'), finalizer: 'f' })).did).toBe('deleted')
    })

    it('follows owners that were given later, and forgets those that were taken away', async () => {
      const tenant = freshTenant()
      const { key } = tenant
      const [one, two] = [await made(store(), key('one')), await made(store(), key('two'))]
      await made(store(), key('child'), { ownerRefs: [ownerOf(one)] })
      await write(store(), replace(key('child'), { size: 1 }, { ownerRefs: [ownerOf(two)] }))
      await write(store(), { op: 'delete', key: key('one') })
      expect(await store().read(system, key('child'), call)).toBeDefined()
      await write(store(), { op: 'delete', key: key('two') })
      expect(await store().read(system, key('child'), call)).toBeUndefined()
    })

    it('goes round a circle of owners once', async () => {
      const { key } = freshTenant()
      const one = await made(store(), key('one'))
      const two = await made(store(), key('two'), { ownerRefs: [ownerOf(one)] })
      await write(store(), replace(key('one'), { size: 1 }, { ownerRefs: [ownerOf(two)] }))
      expect((await write(store(), { op: 'delete', key: key('one') })).did).toBe('deleted')
      expect(await store().read(system, key('two'), call)).toBeUndefined()
    })

    it('leaves no way to make a child of an owner that is gone', async () => {
      const { key } = freshTenant()
      const owner = await made(store(), key('owner'))
      await write(store(), { op: 'delete', key: key('owner') })
      const orphan = create(key('orphan'), { ownerRefs: [ownerOf(owner)] })
      await expect(write(store(), orphan)).rejects.toEqual(refused('object_not_found', 'commands[0]'))
      await made(store(), key('owner'))
      await expect(write(store(), orphan)).rejects.toEqual(refused('object_not_found', 'commands[0]'))
    })

    it('reaches children of a system object in every tenant', async () => {
      const [one, two] = [freshTenant(), freshTenant()]
      const key = { kind: 'Tenant', name: one.tenant }
      const owner = await made(store(), key)
      await made(store(), one.key('a'), { ownerRefs: [ownerOf(owner)] })
      await made(store(), two.key('b'), { ownerRefs: [ownerOf(owner)] })
      await write(store(), { op: 'delete', key })
      expect(await store().read(system, one.key('a'), call)).toBeUndefined()
      expect(await store().read(system, two.key('b'), call)).toBeUndefined()
    })
  })
}
