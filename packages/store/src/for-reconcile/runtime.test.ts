import { systemClock } from '@gantry/core'
import { Controller, done, manageObject, type Provisioner, Shards, shardLease, waiting } from '@gantry/reconcile'
import { afterAll, describe, expect, it } from 'vitest'
import type { Store } from '../store.ts'
import { call, create, freshTenant, refused, system } from '../testing/contract/subject.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'
import { managedObjects } from './managed-objects.ts'
import { sourceOf } from './source.ts'

const kind = 'Thing'
const finalizer = 'test/thing'
const leaseOf = ({ metadata }: { readonly metadata: { readonly uid: string } }): string => shardLease(metadata.uid)
const postgres = await postgresEngine()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** One server: its share of the work, and a controller that makes things up and takes them down again. */
async function server(store: Store, holder: string, world: Set<string>, worked: Set<string>) {
  const shards = new Shards({
    leases: store.leases(system),
    holder,
    clock: systemClock,
    ttlMs: 20_000,
    marginMs: 2_000,
  })
  const step = (uid: string): Provisioner => ({
    name: 'thing',
    async provision() {
      worked.add(holder)
      if (world.has(uid)) return done()
      world.add(uid)
      return waiting('', 'it to be there', { retryAfterMs: 1 })
    },
    async deprovision() {
      return world.delete(uid) ? waiting('', 'it to be gone', { retryAfterMs: 1 }) : done()
    },
  })
  const controller = new Controller({
    name: holder,
    kind,
    source: sourceOf(store, system, kind),
    reconcile: manageObject({
      objects: managedObjects(store, system, { leaseOf }),
      finalizer,
      tree: ({ metadata }) => step(metadata.uid),
      clock: systemClock,
    }),
    clock: systemClock,
    random: Math.random,
    ownership: shards,
  })
  shards.start()
  controller.start()
  closing.push(async () => {
    await controller.stop({ deadlineMs: 5_000 }, call)
    await shards.stop(call)
  })
}

async function until(store: Store, tenant: string, holds: (ready: number, there: number) => boolean): Promise<void> {
  for await (const _ of store.changes(system, { kind, tenant, since: 0 }, call)) {
    const { items } = await store.list(system, { kind, tenant, limit: 500 }, call)
    const ready = items.filter(({ status }) =>
      status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    )
    if (holds(ready.length, items.length)) return
  }
}

async function sharesTheWork(stores: readonly Store[]): Promise<void> {
  const [store = undefined] = stores
  if (!store) throw new Error('no store')
  const { tenant, key } = freshTenant()
  const world = new Set<string>()
  const worked = new Set<string>()
  for (const [at, one] of stores.entries()) await server(one, `server-${at}`, world, worked)
  const keys = Array.from({ length: 100 }, (_, at) => key(`thing-${at}`))
  await store.write(
    system,
    keys.map((one) => create(one)),
    {},
    call,
  )
  await until(store, tenant, (ready) => ready === keys.length)
  expect(world.size).toBe(keys.length)
  const { items } = await store.list(system, { kind, tenant, limit: 500 }, call)
  expect(items.every(({ metadata }) => metadata.finalizers.includes(finalizer))).toBe(true)
  await store.write(
    system,
    keys.map((one) => ({ op: 'delete', key: one }) as const),
    {},
    call,
  )
  await until(store, tenant, (_, there) => there === 0)
  expect(world.size).toBe(0)
}

describe('the reconcile runtime on a store', () => {
  it('brings objects up and takes them down on SQLite, every write fenced by its shard', {
    timeout: 60_000,
  }, async () => {
    const subject = await sqliteSubject()
    const store = await subject.open()
    closing.push(
      () => subject.dispose(),
      () => store.close(),
    )
    await sharesTheWork([store])
  })

  it('shares the work of two servers on PostgreSQL', { timeout: 120_000 }, async ({ skip }) => {
    if ('why' in postgres) return skip(postgres.why)
    const subject = await postgresSubject(postgres.url)
    const stores = [await subject.open(), await subject.open()]
    closing.push(() => subject.dispose(), ...stores.map((store) => () => store.close()))
    await sharesTheWork(stores)
  })

  it('refuses the writes of a server that lost the shard', async () => {
    const subject = await sqliteSubject()
    const store = await subject.open()
    closing.push(
      () => subject.dispose(),
      () => store.close(),
    )
    const { key } = freshTenant()
    await store.write(system, [create(key('one'))], {}, call)
    const object = await store.read(system, key('one'), call)
    if (!object) throw new Error('it was just written')
    const leases = store.leases(system)
    const mine = await leases.acquire(leaseOf(object), 'mine', 60_000, call)
    if (!mine) throw new Error('nobody else wants it')
    const objects = managedObjects(store, system, { leaseOf })
    await objects.addFinalizer(object, finalizer, { ...call, fence: mine.epoch })
    await leases.release(mine, call)
    await leases.acquire(leaseOf(object), 'theirs', 60_000, call)
    const late = objects.removeFinalizer(object, finalizer, { ...call, fence: mine.epoch })
    await expect(late).rejects.toEqual(refused('stale_fence'))
  })
})
