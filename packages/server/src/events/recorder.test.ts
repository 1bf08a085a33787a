import type { ObjectEvent } from '@gantry/api'
import { Fault, type GantryObject } from '@gantry/core'
import type { Store } from '@gantry/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../app/log.ts'
import { call, keyOf, openRoom, type Room, scope } from '../controllers/testing/room.ts'
import { until } from '../whole/testing/until.ts'
import { EventRecorder, eventsKind } from './recorder.ts'

let room: Room
let warned: string[]
const log = { warn: (message: string) => void warned.push(message) } as unknown as Log
const news = { type: 'normal', reason: 'Tried', message: 'was tried', by: 'test' } as const

beforeEach(async () => {
  room = await openRoom()
  warned = []
})
afterEach(() => room.close())

const mostWaiting = 30
const recorder = (more: { store?: Store; mostWaiting?: number } = {}) =>
  new EventRecorder({ store: room.store, scope, clock: room.clock, log, ...more })

/** Secrets of the shop, as many as asked for, in as few commits as that takes. */
async function objects(count: number): Promise<GantryObject[]> {
  const draft = (at: number) => ({ key: keyOf('Secret', `s-${at}`), spec: {} })
  const commands = Array.from({ length: count }, (_, at) => ({ op: 'create', draft: draft(at) }) as const)
  return (await room.store.write(scope, commands, {}, call)).results.map(({ object }) => object)
}

async function written(): Promise<number> {
  const { items } = await room.store.list(scope, { kind: eventsKind, tenant: 'shop', limit: 5000 }, call)
  return items.flatMap(({ spec }) => spec as ObjectEvent[]).length
}

async function later(): Promise<number> {
  await room.clock.advance(1000)
  return await written()
}

describe('what happened to many objects at once', () => {
  it('is written in greater steps the more waits, until all of it is', async () => {
    const events = recorder()
    for (const object of await objects(900)) events.record(object, news)
    await room.clock.advance(1000)
    await until('a fifth, in whole steps, to be written', written, (count) => count >= 200)
    expect(await written()).toBe(200)
    await until('all to be written', later, (count) => count === 900)
    expect(warned).toEqual([])
  })

  it('is lost where too much waits, and its tenant is told of how many in one event', async () => {
    const events = recorder({ mostWaiting })
    const tenant = await room.read('Tenant', 'shop')
    if (!tenant) throw new Error('there is no tenant')
    const [first, ...others] = await objects(mostWaiting + 20)
    if (!first) throw new Error('none was made')
    events.record(first, news)
    for (const object of [first, ...others]) events.record(object, news)
    await events.flush(call)
    expect(await written()).toBe(mostWaiting)
    expect(await events.of(first, call)).toEqual([])
    expect(await events.of(tenant, call)).toMatchObject([{ type: 'warning', reason: 'EventsLost', count: 21 }])
    expect(warned).toHaveLength(1)
  })

  it('waits on while it cannot be written', async () => {
    let isFull = true
    const refusing = new Proxy(room.store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value !== 'function') return value
        if (key !== 'write' || !isFull) return value.bind(target)
        return () => Promise.reject(new Fault('store_full', 'There is no space left'))
      },
    })
    const events = recorder({ store: refusing })
    for (const object of await objects(3)) events.record(object, news)
    await room.clock.advance(1000)
    await until(
      'the first try to have failed',
      async () => warned,
      ({ length }) => length > 0,
    )
    expect(warned).toEqual(['could not write events'])
    isFull = false
    await until('all to be written', later, (count) => count === 3)
  })
})
