import { type PrivateEngine, startPrivate } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Change, Store } from '../store.ts'
import { call, create, freshTenant, names, type StoreSubject, system } from '../testing/contract/subject.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'

const shared = await postgresEngine()

const title = 'PostgreSQL restarted under load'
if ('why' in shared) it(title, ({ skip }) => skip(shared.why))
else
  describe(title, () => {
    let server: PrivateEngine<'postgres'>
    let subject: StoreSubject
    beforeAll(async () => {
      server = await startPrivate('postgres', call)
      subject = await postgresSubject(server.address)
    })
    afterAll(() => server.stop(call))

    /** Writes pairs until told to stop; gives the names of those that were acknowledged. */
    async function load(
      store: Store,
      tenant: ReturnType<typeof freshTenant>,
      isOver: () => boolean,
    ): Promise<string[]> {
      const acknowledged: string[] = []
      const writer = async (id: number): Promise<void> => {
        for (let n = 0; !isOver(); n += 1) {
          const name = `n-${id}-${n}`
          const audit = { actor: 'load', action: name, outcome: 'done' } as const
          await store.write(
            system,
            [create(tenant.key(name, 'Left')), create(tenant.key(name, 'Right'))],
            { audit },
            call,
          )
          acknowledged.push(name)
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, id) => writer(id)))
      return acknowledged
    }

    /** Everything of a tenant, up to the object named `end`. */
    async function follow(store: Store, tenant: string): Promise<Change[]> {
      const seen: Change[] = []
      for await (const change of store.changes(system, { tenant, since: 0 }, call)) {
        if (change.type === 'bookmark') continue
        seen.push(change)
        if (change.object.metadata.name === 'end') break
      }
      return seen
    }

    it.each(['fast', 'immediate', 'fast'] as const)(
      'comes back: nothing acknowledged is lost, no write fails or happens twice, and no watcher sees a gap (%s)',
      { timeout: 60_000 },
      async (mode) => {
        const [store, other] = [await subject.open(), await subject.open()]
        const tenant = freshTenant()
        const before = (await store.write(system, [], {}, call)).resourceVersion
        let isOver = false
        const watching = [store, other].map((one) => follow(one, tenant.tenant))
        const loads = [load(store, tenant, () => isOver)]
        for (let n = 0; n < 2; n += 1) {
          const { resourceVersion } = await store.write(system, [], {}, call)
          while ((await store.write(system, [], {}, call)).resourceVersion < resourceVersion + 40)
            await new Promise(setImmediate)
          await server.restart(mode, call)
        }
        isOver = true
        const acknowledged = (await Promise.all(loads)).flat()
        // One more, at which the watchers stop.
        const last = (await store.write(system, [create(tenant.key('end'))], {}, call)).resourceVersion
        const list = async (kind: string) =>
          (await store.list(system, { kind, tenant: tenant.tenant, limit: 5000 }, call)).items
        const [left, right] = [names(await list('Left')), names(await list('Right'))]
        expect(left).toEqual(right)
        expect(left.sort()).toEqual(acknowledged.sort())
        for (const seen of await Promise.all(watching)) {
          const versions = seen.map((change) => change.resourceVersion)
          expect(versions).toEqual(versions.map((_, at) => before + 1 + at))
          expect(versions.at(-1)).toBe(last)
        }
        expect(await store.verifyAudit(system, call)).toMatchObject({ intact: true })
        await store.close()
        await other.close()
      },
    )
  })
