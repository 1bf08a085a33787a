import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { openStore, systemScope } from '@gantry/store'
import { describe, expect, it } from 'vitest'
import { ReadyParts } from './readiness.ts'
import { feedReady, storeReady } from './store-parts.ts'

const call = { signal: new AbortController().signal }

describe('readiness', () => {
  it('is there when every part is, and names those that are not with why', async () => {
    const parts = new ReadyParts(new VirtualClock())
    parts.add('store', async () => undefined)
    expect(await parts.look(call)).toEqual({ ready: true, parts: [{ name: 'store', ready: true }] })
    const takeOut = parts.add('docker', () => Promise.reject(new Fault('engine_unreachable', 'Docker is away')))
    parts.add('bug', () => Promise.reject(new Error('password=hunter2')))
    expect(await parts.look(call)).toEqual({
      ready: false,
      parts: [
        { name: 'store', ready: true },
        { name: 'docker', ready: false, message: 'Docker is away' },
        { name: 'bug', ready: false, message: 'failed when it was looked at' },
      ],
    })
    takeOut()
    expect((await parts.look(call)).parts.map(({ name }) => name)).toEqual(['store', 'bug'])
  })

  it('does not wait for a part that never answers', async () => {
    const clock = new VirtualClock()
    const parts = new ReadyParts(clock)
    parts.add('store', () => new Promise(() => undefined))
    const looked = parts.look(call)
    await clock.advance(2000)
    expect(await looked).toMatchObject({ ready: false, parts: [{ name: 'store', ready: false }] })
  })

  it('ends for the reason of whoever asked', async () => {
    const parts = new ReadyParts(new VirtualClock())
    parts.add('store', () => new Promise(() => undefined))
    const own = new AbortController()
    const looked = parts.look(own)
    const reason = new Error('gone')
    own.abort(reason)
    await expect(looked).rejects.toBe(reason)
  })

  it('has no two parts of one name', () => {
    const parts = new ReadyParts(new VirtualClock())
    parts.add('store', async () => undefined)
    expect(() => parts.add('store', async () => undefined)).toThrow('store already')
  })

  it('of the store and its feed ends with the store', async () => {
    const store = await openStore({ database: 'sqlite::memory:' }, call)
    const checks = [storeReady(store, systemScope()), feedReady(store, systemScope())]
    for (const check of checks) await check(call)
    await store.close()
    for (const check of checks) await expect(check(call)).rejects.toMatchObject({ reason: 'store_closed' })
  })
})
