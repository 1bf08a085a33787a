import { describe, expect, it } from 'vitest'
import { call, create, freshTenant, type MakeSubject, names, refused, system, take } from './subject.ts'

export function closingContract(make: MakeSubject): void {
  describe('closing', () => {
    it('keeps what was acknowledged, refuses the rest, ends watchers, and can be opened again', async () => {
      const subject = await make()
      const { tenant, key } = freshTenant()
      const store = await subject.open()
      await store.write(system, [create(key('first'), { labels: { a: 'b' }, usage: { cpu: 3n } })], {}, call)
      const watcher = take(store.changes(system, { tenant }, call), 1)
      const ended = expect(watcher).rejects.toEqual(refused('store_closed'))
      await new Promise(setImmediate)
      const writes = Array.from({ length: 20 }, (_, n) => store.write(system, [create(key(`n-${n}`))], {}, call))
      const settling = Promise.allSettled(writes)
      await store.close()
      await store.close()
      await ended
      const settled = await settling
      await expect(store.read(system, key('first'), call)).rejects.toEqual(refused('store_closed'))
      await expect(store.write(system, [], {}, call)).rejects.toEqual(refused('store_closed'))

      const again = await subject.open()
      const { items, resourceVersion } = await again.list(system, { kind: 'Thing', tenant, limit: 100 }, call)
      const acknowledged = settled.flatMap((one, n) => (one.status === 'fulfilled' ? [`n-${n}`] : []))
      expect(names(items).sort()).toEqual(['first', ...acknowledged].sort())
      const { results } = await again.write(system, [create(key('after'))], {}, call)
      expect(results[0]?.object.metadata.resourceVersion).toBe(resourceVersion + 1)
      expect(await again.usage(system, tenant, call)).toEqual({ cpu: 3n })
      const replayed = await take(again.changes(system, { tenant, since: 0 }, call), items.length + 1)
      expect(replayed.map((change) => change.resourceVersion)).toEqual(replayed.map((_, at) => at + 1))
      await again.close()
      await subject.dispose()
    })
  })
}
