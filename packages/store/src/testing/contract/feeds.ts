import { describe, expect, it } from 'vitest'
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
  write,
} from './subject.ts'

export function feedsContract(make: MakeSubject): void {
  describe('the change feed', () => {
    const store = sharedStore(make)

    it('tells every change in order, as the object was then', async () => {
      const { tenant, key } = freshTenant()
      const first = await made(store(), key('one'))
      const since = first.metadata.resourceVersion - 1
      await write(store(), replace(key('one'), { size: 2 }))
      await made(store(), key('two'), { finalizers: ['f'] })
      await write(store(), { op: 'delete', key: key('two') })
      await write(store(), { op: 'delete', key: key('one') })
      const changes = await take(store().changes(system, { tenant, since }, call), 5)
      expect(changes.map(brief)).toEqual(['put one', 'put one', 'put two', 'put two', 'gone one'])
      expect(changes[0]).toEqual({ type: 'put', object: first, resourceVersion: first.metadata.resourceVersion })
      expect(changes.map((change) => change.resourceVersion)).toEqual([1, 2, 3, 4, 5].map((n) => since + n))
      expect(changes[4]).toMatchObject({ object: { spec: { size: 2 }, metadata: { resourceVersion: since + 5 } } })
    })

    it('goes on with what is written later, and resumes after any of it without a gap or a repeat', async () => {
      const { tenant, key } = freshTenant()
      const live = take(store().changes(system, { tenant, kind: 'Thing', since: 0 }, call), 20)
      const versions: number[] = []
      for (let n = 0; n < 20; n += 1) versions.push((await made(store(), key(`n-${n}`))).metadata.resourceVersion)
      const seen = await live
      expect(seen.map((change) => change.resourceVersion)).toEqual(versions)
      for (const from of [0, 7, 18]) {
        const rest = await take(store().changes(system, { tenant, since: versions[from] ?? 0 }, call), 19 - from)
        expect(rest).toEqual(seen.slice(from + 1))
      }
    })

    it('begins with now when no version is given, and marks where it has come to', async () => {
      const { tenant, key } = freshTenant()
      const { metadata } = await made(store(), key('before'))
      const seen = await untilBookmark(store().changes(system, { tenant }, call))
      expect(seen).toEqual([{ type: 'bookmark', resourceVersion: metadata.resourceVersion }])
      const caughtUp = await untilBookmark(
        store().changes(system, { tenant, since: metadata.resourceVersion - 1 }, call),
      )
      expect(caughtUp.map(brief)).toEqual(['put before', 'bookmark'])
    })

    it('shows only the kind and tenant asked for', async () => {
      const [one, two] = [freshTenant(), freshTenant()]
      const { metadata } = await made(store(), one.key('first'))
      const since = metadata.resourceVersion
      await made(store(), two.key('other-tenant'))
      await made(store(), one.key('other-kind', 'Other'))
      await made(store(), one.key('wanted'))
      const seen = await take(store().changes(system, { tenant: one.tenant, kind: 'Thing', since }, call), 1)
      expect(seen.map(brief)).toEqual(['put wanted'])
      const kinds = await take(store().changes(system, { kind: 'Thing', since }, call), 2)
      expect(kinds.map(brief)).toEqual(['put other-tenant', 'put wanted'])
    })

    it('tells who watches by label when an object comes, changes and leaves', async () => {
      const { tenant, key } = freshTenant()
      const step = (on: string, size: number) => write(store(), replace(key('one'), { size }, { labels: { on } }))
      const { metadata } = await made(store(), key('one'), { labels: { on: 'no' } })
      const live = take(
        store().changes(system, { tenant, labelSelector: 'on=yes', since: metadata.resourceVersion - 1 }, call),
        5,
      )
      await step('no', 2)
      await step('yes', 2)
      await step('yes', 3)
      await step('no', 3)
      await step('no', 4)
      await step('yes', 4)
      await write(store(), { op: 'delete', key: key('one') })
      const told = ['put one', 'put one', 'gone one', 'put one', 'gone one']
      expect((await live).map(brief)).toEqual(told)
      const again = store().changes(
        system,
        { tenant, labelSelector: 'on=yes', since: metadata.resourceVersion - 1 },
        call,
      )
      expect((await take(again, 5)).map(brief)).toEqual(told)
    })

    it('gives a list and a watch from its version every object, whatever happens in between', async () => {
      const { tenant, key } = freshTenant()
      const known = new Map<string, number>()
      const writing = (async () => {
        for (let n = 0; n < 60; n += 1) await made(store(), key(`n-${n}`))
      })()
      const { items, resourceVersion } = await store().list(system, { kind: 'Thing', tenant, limit: 100 }, call)
      for (const item of items) known.set(item.metadata.name, item.metadata.resourceVersion)
      for await (const change of store().changes(system, { kind: 'Thing', tenant, since: resourceVersion }, call)) {
        if (change.type === 'put') known.set(change.object.metadata.name, change.resourceVersion)
        if (known.size === 60) break
      }
      await writing
      expect(known.size).toBe(60)
    })

    it('reaches a thousand watchers', async () => {
      const { tenant, key } = freshTenant()
      const { metadata } = await made(store(), key('first'))
      const since = metadata.resourceVersion
      const watchers = Array.from({ length: 1000 }, () => take(store().changes(system, { tenant, since }, call), 2))
      await made(store(), key('second'))
      await made(store(), key('third'))
      const seen = await Promise.all(watchers)
      expect(new Set(seen.map((changes) => changes.map(brief).join()))).toEqual(new Set(['put second,put third']))
    })

    it('serves a reader that fell far behind from the log', async () => {
      const { tenant, key } = freshTenant()
      const { metadata } = await made(store(), key('first'))
      const slow = store().changes(system, { tenant, since: metadata.resourceVersion }, call)[Symbol.asyncIterator]()
      await made(store(), key('second'))
      expect(await slow.next()).toMatchObject({ value: { object: { metadata: { name: 'second' } } } })
      for (let round = 0; round < 6; round += 1) {
        await store().write(
          system,
          Array.from({ length: 500 }, (_, n) => create(key(`r-${round}-${n}`))),
          {},
          call,
        )
      }
      const seen: number[] = []
      while (seen.length < 3000) {
        const { value } = await slow.next()
        // A bookmark where it has caught up with the tail for a moment is no change.
        if (value?.type !== 'bookmark') seen.push(value?.resourceVersion ?? 0)
      }
      await slow.return?.()
      expect(seen).toEqual(seen.map((_, at) => metadata.resourceVersion + 2 + at))
    })

    it('refuses a version that was compacted away, or that never was, and keeps what it was told to keep', async () => {
      const { tenant, key } = freshTenant()
      for (let n = 0; n < 10; n += 1) await made(store(), key(`n-${n}`))
      const { resourceVersion: version } = await store().list(system, { kind: 'Thing', tenant, limit: 1 }, call)
      expect(await store().compact(system, { keepChanges: 0, olderThan: 1 }, call)).toBe(0)
      expect(await store().compact(system, { keepChanges: 4 }, call)).toBeGreaterThan(0)
      expect(await store().compact(system, { keepChanges: 4 }, call)).toBe(0)
      const expired = take(store().changes(system, { tenant, since: version - 5 }, call), 1)
      await expect(expired).rejects.toEqual(refused('version_expired'))
      expect(await take(store().changes(system, { tenant, since: version - 4 }, call), 4)).toHaveLength(4)
      await expect(take(store().changes(system, { since: version + 99 }, call), 1)).rejects.toEqual(
        refused('version_expired'),
      )
      expect((await store().list(system, { kind: 'Thing', tenant, limit: 20 }, call)).items).toHaveLength(10)
    })

    it('can be forgotten again and again without losing what the objects are', async () => {
      const { tenant, key } = freshTenant()
      const list = async () => (await store().list(system, { kind: 'Thing', tenant, limit: 20 }, call)).items
      for (let n = 0; n < 6; n += 1) await made(store(), key(`n-${n}`), { spec: { size: 0 }, labels: { n: `${n}` } })
      for (let size = 1; size <= 3; size += 1) {
        await store().compact(system, { keepChanges: 0 }, call)
        await write(store(), replace(key('n-1'), { size }, { labels: { n: '1' } }))
        await write(store(), replace(key('n-2'), { size }, { labels: { n: '2' } }))
      }
      await write(store(), { op: 'delete', key: key('n-3') })
      await store().compact(system, { keepChanges: 0 }, call)
      expect((await list()).map((item) => item.spec)).toEqual([0, 3, 3, 0, 0].map((size) => ({ size })))
      expect(await store().read(system, key('n-5'), call)).toMatchObject({ spec: { size: 0 } })
      const query = { kind: 'Thing', tenant, limit: 9, labelSelector: 'n in (0, 2)' }
      expect(names((await store().list(system, query, call)).items)).toEqual(['n-0', 'n-2'])
    })

    it('ends a reader whose next change was compacted, instead of skipping it', async () => {
      const { tenant, key } = freshTenant()
      const { metadata } = await made(store(), key('first'))
      const slow = store().changes(system, { tenant, since: metadata.resourceVersion }, call)[Symbol.asyncIterator]()
      expect(await slow.next()).toMatchObject({ value: { type: 'bookmark' } })
      for (let round = 0; round < 6; round += 1) {
        await store().write(
          system,
          Array.from({ length: 500 }, (_, n) => create(key(`r-${round}-${n}`))),
          {},
          call,
        )
      }
      await store().compact(system, { keepChanges: 0 }, call)
      const rest = (async () => {
        const seen: number[] = []
        for (;;) {
          const { value } = await slow.next()
          seen.push(value?.resourceVersion ?? 0)
          expect(seen).toEqual(seen.map((_, at) => metadata.resourceVersion + 1 + at))
        }
      })()
      await expect(rest).rejects.toEqual(refused('version_expired'))
    })

    it('stops with the caller’s reason, before and while it waits', async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const waiting = take(store().changes(system, { tenant: 'nobody' }, { signal: controller.signal }), 1)
      setImmediate(() => controller.abort(reason))
      await expect(waiting).rejects.toBe(reason)
      expect(() => store().changes(system, {}, { signal: controller.signal })).toThrow(reason)
    })
  })
}
