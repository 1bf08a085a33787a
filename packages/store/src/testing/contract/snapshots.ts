import { describe, expect, it } from 'vitest'
import type { SystemScope } from '../../scope.ts'
import { call, create, freshTenant, type MakeSubject, made, refused, sharedStore, system } from './subject.ts'

export function snapshotsContract(make: MakeSubject): void {
  describe('snapshots', () => {
    const store = sharedStore(make)

    it('show what was there when the first row was asked for, whatever is written while they are read', async () => {
      const tenant = freshTenant()
      await made(store(), tenant.key('kept'))
      await made(store(), tenant.key('dropped'))
      const names: string[] = []
      for await (const row of store().snapshot(system, call)) {
        if (row.type === 'head') {
          await made(store(), tenant.key('late'))
          await store().write(system, [{ op: 'delete', key: tenant.key('dropped') }], {}, call)
        }
        if (row.type === 'object' && row.tenant === tenant.tenant) names.push(row.name)
      }
      expect(names).toEqual(['kept', 'dropped'])
    })

    it('begin with how far the store has come', async () => {
      const { resourceVersion } = await store().write(system, [create(freshTenant().key('one'))], {}, call)
      for await (const row of store().snapshot(system, call)) {
        expect(row).toMatchObject({ type: 'head', version: resourceVersion })
        break
      }
    })

    it('are for the system only', async () => {
      const tenant = freshTenant() as unknown as SystemScope
      const first = store().snapshot(tenant, call)[Symbol.asyncIterator]().next()
      await expect(first).rejects.toEqual(refused('unexpected'))
    })

    it('end for the reason of who gave them up', async () => {
      const own = new AbortController()
      const rows = store().snapshot(system, { signal: own.signal })[Symbol.asyncIterator]()
      await rows.next()
      const reason = new Error('gave up')
      own.abort(reason)
      await expect(rows.next()).rejects.toBe(reason)
    })
  })
}
