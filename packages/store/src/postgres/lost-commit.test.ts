import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'
import { call, create, freshTenant, names, type StoreSubject, system, take } from '../testing/contract/subject.ts'
import { type Cut, type CuttingProxy, cuttingProxy } from '../testing/cutting-proxy.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'

const engine = await postgresEngine()

const title = 'a connection cut while committing'
if ('why' in engine) it(title, ({ skip }) => skip(engine.why))
else
  describe(title, () => {
    let subject: StoreSubject
    let proxy: CuttingProxy
    let store: Store
    beforeAll(async () => {
      const real = await postgresSubject(engine.url)
      subject = real
      proxy = await cuttingProxy(real.database)
      store = await openStore({ database: proxy.url }, call)
    })
    afterAll(async () => {
      await store.close()
      await proxy.close()
      await subject.dispose()
    })

    it.each<Cut>(['before', 'after'])(
      '%s the server got it: the write is found out about, and happens once',
      async (when) => {
        const { tenant, key } = freshTenant()
        const { resourceVersion: since } = await store.write(system, [create(key('first'))], {}, call)
        const cuts = proxy.cuts()
        proxy.cutNextCommit(when)
        const audit = { actor: 'a', action: 'b', outcome: 'done', tenant } as const
        const { results } = await store.write(system, [create(key('second'), { usage: { n: 1n } })], { audit }, call)
        expect(proxy.cuts()).toBe(cuts + 1)
        expect(results.map(({ did }) => did)).toEqual(['created'])
        await store.write(system, [create(key('third'))], {}, call)
        const { items } = await store.list(system, { kind: 'Thing', tenant, limit: 9 }, call)
        expect(names(items)).toEqual(['first', 'second', 'third'])
        expect(items[1]).toEqual(results[0]?.object)
        const seen = await take(store.changes(system, { tenant, since }, call), 2)
        expect(seen.map((change) => change.resourceVersion)).toEqual([since + 1, since + 2])
        expect(await store.usage(system, tenant, call)).toEqual({ n: 1n })
        expect((await store.audit(system, { tenant, limit: 9 }, call)).entries).toHaveLength(1)
      },
    )
  })
