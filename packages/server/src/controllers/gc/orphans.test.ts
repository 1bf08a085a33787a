import type { ObjectOf } from '@gantry/core'
import { inPlaceUpdate } from '@gantry/providers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instanceSpec, putInstance } from '../../rollout/instance-spec.ts'
import { call, installation, keyOf, openRoom, type Room, scope } from '../testing/room.ts'
import { orphanLookMs, reconcileOrphans } from './orphans.ts'

const key = keyOf('Provider', 'here')
const ref = { tenant: 'shop', workload: 'web', uid: 'u1', slot: 'a' } as const
let room: Room
let look: () => Promise<unknown>

beforeEach(async () => {
  room = await openRoom()
  await room.apply('Provider', 'here', { type: 'simulated' })
  await room.deps.hub.keep('here', { engine: room.engine }, call)
  await room.clock.advance(0)
  const pass = reconcileOrphans(room.deps, orphanLookMs)
  look = async () => {
    const result = await room.run(pass, key)
    await room.clock.advance(0)
    return result
  }
})
afterEach(() => room.close())

const orphans = async () => (await room.read('Provider', 'here'))?.status.orphans
const names = () => [...room.world.instances.keys()]

describe('what is ours on an engine and belongs to nothing', () => {
  it('is told at the first look and removed at the second', async () => {
    room.world.createInstance(ref, installation)
    await room.clock.advance(0)
    await look()
    expect(await orphans()).toMatchObject([ref])
    expect(room.events.map(({ reason, of }) => `${of} ${reason}`)).toEqual(['Provider here OrphanSeen'])
    expect(names()).toEqual(['u1-a'])
    await look()
    expect(names()).toEqual([])
    await look()
    expect(await orphans()).toBeUndefined()
  })

  it('of another installation is never looked at', async () => {
    room.world.createInstance(ref, 'theirs')
    await room.clock.advance(0)
    await look()
    await look()
    expect(names()).toEqual(['u1-a'])
    expect(await orphans()).toBeUndefined()
  })

  it('is left alone after a restore that nobody has confirmed, and only told', async () => {
    const mark = { key: { kind: 'RestoreMark', name: 'restored' }, spec: { restoredAt: '', backupOf: '' } }
    await room.store.write(scope, [{ op: 'create', draft: mark }], {}, call)
    room.world.createInstance(ref, installation)
    await room.clock.advance(0)
    for (let times = 0; times < 5; times++) await look()
    expect(names()).toEqual(['u1-a'])
    expect(await orphans()).toMatchObject([ref])
  })

  it('is not judged from what was seen before the engine was lost', async () => {
    room.world.createInstance(ref, installation)
    await room.clock.advance(0)
    await look()
    room.world.cut()
    await room.clock.advance(0)
    await look()
    room.world.heal()
    await room.clock.advance(0)
    expect(names()).toEqual(['u1-a'])
  })

  it('is nothing that an instance on this provider stands for', async () => {
    await room.apply('Workload', 'web', { services: [{ name: 'web', image: 'app:1' }] })
    const workload = (await room.read('Workload', 'web')) as ObjectOf<'Workload'>
    const { type, strategy } = workload.spec
    const update = inPlaceUpdate(strategy, type)
    const choice = { slot: 'a', provider: 'here', type, release: 1, update, paused: false } as const
    await room.store.write(scope, [putInstance(workload, undefined, instanceSpec(workload, choice))], {}, call)
    room.world.createInstance({ ...ref, uid: workload.metadata.uid }, installation)
    await room.clock.advance(0)
    await look()
    await look()
    expect(names()).toHaveLength(1)
    expect(await orphans()).toBeUndefined()
  })
})
