import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { openStore } from '../open.ts'
import { call, create, freshTenant, refused, system } from '../testing/contract/subject.ts'

describe('a watcher with nothing to see', () => {
  it('is told every now and then how far it has come, and leaves no timer behind', async () => {
    const clock = new VirtualClock()
    const store = await openStore({ database: 'sqlite::memory:', clock }, call)
    const [mine, other] = [freshTenant(), freshTenant()]
    const changes = store.changes(mine, {}, call)[Symbol.asyncIterator]()
    expect(await changes.next()).toMatchObject({ value: { type: 'bookmark', resourceVersion: 0 } })
    const next = changes.next()
    await store.write(system, [create(other.key('theirs')), create(other.key('more'))], {}, call)
    await clock.advance(10_000)
    expect(await next).toMatchObject({ value: { type: 'bookmark', resourceVersion: 2 } })
    await changes.return?.()
    expect(clock.pending).toBe(0)
    await store.close()
  })

  it('is not told the same again, and is ended by closing the store', async () => {
    const clock = new VirtualClock()
    const store = await openStore({ database: 'sqlite::memory:', clock }, call)
    const changes = store.changes(system, {}, call)[Symbol.asyncIterator]()
    await changes.next()
    let isTold = false
    const next = changes.next().finally(() => {
      isTold = true
    })
    const ended = expect(next).rejects.toEqual(refused('store_closed'))
    await clock.advance(60_000)
    expect(isTold).toBe(false)
    await store.close()
    await ended
    expect(clock.pending).toBe(0)
  })
})

describe('a watcher that reads late', () => {
  it('is told everything, also what the feed has long let go of', async () => {
    const clock = new VirtualClock()
    const store = await openStore({ database: 'sqlite::memory:', clock }, call)
    const { key } = freshTenant()
    const changes = store.changes(system, {}, call)[Symbol.asyncIterator]()
    await changes.next()
    await store.write(system, [create(key('one')), create(key('two'))], {}, call)
    await clock.advance(60_000)
    await store.write(system, [create(key('three'))], {}, call)
    for (const [name, resourceVersion] of [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ] as const) {
      const { value } = await changes.next()
      expect(value).toMatchObject({ type: 'put', object: { metadata: { name } }, resourceVersion })
    }
    await changes.return?.()
    await store.close()
  })
})
