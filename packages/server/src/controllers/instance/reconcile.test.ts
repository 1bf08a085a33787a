import type { InstanceSpec, ObjectOf } from '@gantry/core'
import { inPlaceUpdate } from '@gantry/providers'
import { crashService } from '@gantry/providers/simulated'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instanceSpec, putInstance } from '../../rollout/instance-spec.ts'
import { conditionOf } from '../conditions.ts'
import { call, keyOf, openRoom, type Room, scope } from '../testing/room.ts'
import { reconcileWorkload } from '../workload/reconcile.ts'
import { reconcileInstance } from './reconcile.ts'

const key = keyOf('Instance', 'web-a')
let room: Room

beforeEach(async () => {
  room = await openRoom()
  await room.apply('Provider', 'here', { type: 'simulated', tenants: ['*'] })
  await room.deps.hub.keep('here', { engine: room.engine }, call)
  await room.clock.advance(0)
  const services = [{ name: 'web', image: 'app:1' }]
  await room.apply('Workload', 'web', { replicas: 2, services, strategy: { minReadySeconds: 0 } })
  await room.run(reconcileWorkload(room.deps), keyOf('Workload', 'web'))
  await put({})
})
afterEach(() => room.close())

async function put(more: Partial<InstanceSpec>): Promise<void> {
  const workload = await room.read('Workload', 'web')
  if (!workload) throw new Error('there is no workload')
  const { type, strategy } = workload.spec
  const update = inPlaceUpdate(strategy, type)
  const choice = { slot: 'a', provider: 'here', type, release: 1, update, paused: false } as const
  const spec = { ...instanceSpec(workload, choice), ...more }
  await room.store.write(scope, [putInstance(workload, await room.read('Instance', 'web-a'), spec)], {}, call)
}

const pass = () => room.run(reconcileInstance(room.deps), key)

/** Passes until the engine has nothing left to do. */
async function settle(): Promise<ObjectOf<'Instance'>> {
  for (let left = 20; left > 0; left -= 1) {
    const { state } = await pass()
    if (state === 'done') return await seen()
    await room.clock.advance(1000)
  }
  throw new Error('it does not settle')
}

async function seen(): Promise<ObjectOf<'Instance'>> {
  const found = await room.read('Instance', 'web-a')
  if (!found) throw new Error('there is no instance')
  return found
}

const remove = () => room.store.write(scope, [{ op: 'delete', key }], {}, call)

describe('a pass over an instance', () => {
  it('brings up what its release says, and tells what was seen', async () => {
    const { status, metadata } = await settle()
    expect(status).toMatchObject({ settled: true, observedGeneration: 1, readyReplicas: 2, state: 'running' })
    expect(status.replicas?.map(({ release, specHash }) => [release, specHash])).toEqual([
      ['v1', status.specHash],
      ['v1', status.specHash],
    ])
    expect(conditionOf({ status }, 'Ready')?.status).toBe('True')
    expect(metadata.finalizers).toEqual(['gantry.dev/engine'])
  })

  it('writes nothing when only time has passed', async () => {
    const before = await settle()
    await room.clock.advance(60_000)
    await pass()
    expect((await seen()).metadata.resourceVersion).toBe(before.metadata.resourceVersion)
  })

  it('says which replica fails which service, and repairs what crashed', async () => {
    await settle()
    const [engineId = ''] = room.world.replicas.keys()
    crashService(room.world, engineId, 'web', 137)
    await room.clock.advance(0)
    await pass()
    const { status } = await seen()
    expect(status.settled).toBe(false)
    expect(status.replicas?.[0]?.services.web).toMatchObject({ phase: 'crashed', exitCode: 137 })
    expect((await settle()).status).toMatchObject({ settled: true, readyReplicas: 2 })
  })

  it('scales in place', async () => {
    await settle()
    await put({ replicas: 3 })
    expect((await settle()).status).toMatchObject({ observedGeneration: 2, readyReplicas: 3 })
  })

  it('is settled when stopped and nothing runs', async () => {
    await settle()
    await put({ run: 'stopped' })
    expect((await settle()).status).toMatchObject({ settled: true, readyReplicas: 0, state: 'stopped' })
    expect(room.world.replicas.size).toBe(0)
  })

  it('leaves replicas as they are while paused, and stops them all the same', async () => {
    await settle()
    const [engineId = ''] = room.world.replicas.keys()
    await put({ paused: true, replicas: 5 })
    expect((await pass()).state).toBe('done')
    expect((await seen()).status).toMatchObject({ settled: false, waitingFor: 'someone to resume the rollout' })
    expect(room.world.replicas.has(engineId)).toBe(true)
    expect(room.world.replicas.size).toBe(2)
    await put({ paused: true, run: 'stopped' })
    await settle()
    expect(room.world.replicas.size).toBe(0)
  })

  it('shows a release that is not kept as the end of the way, since when', async () => {
    await put({ release: 7 })
    expect((await pass()).state).toBe('permanent')
    const first = await seen()
    expect(first.status.stalled).toMatchObject({ reason: 'release_not_found' })
    await room.clock.advance(5000)
    await pass()
    expect((await seen()).status.stalled?.at).toBe(first.status.stalled?.at)
  })

  it('is unknown while its engine cannot be looked at: what was seen stays, and is not called ready', async () => {
    await settle()
    room.world.cut()
    await room.clock.advance(0)
    const since = new Date(room.clock.now()).toISOString()
    await room.clock.advance(60_000)
    expect(await pass()).toMatchObject({ state: 'transient', blind: true })
    const { status } = await seen()
    expect(status).toMatchObject({ readyReplicas: 2, blind: { reason: 'engine_unreachable', since } })
    expect(status.settled).toBeUndefined()
    expect(conditionOf({ status }, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'engine_unreachable' })
    room.world.heal()
    await room.clock.advance(1000)
    expect((await settle()).status).not.toHaveProperty('blind')
  })

  it('waits for a provider that is not there, and refers to it', async () => {
    await put({ provider: 'nowhere' })
    const { references, state } = await pass()
    expect([state, references]).toEqual(['permanent', [{ kind: 'Provider', name: 'nowhere' }]])
    expect(conditionOf(await seen(), 'Ready')).toMatchObject({ status: 'Unknown', reason: 'provider_not_found' })
  })
})

describe('the end of an instance', () => {
  it('is when its engine was looked at and has nothing of it any more', async () => {
    await settle()
    await remove()
    expect((await pass()).state).toBe('yield')
    expect((await seen()).status).toMatchObject({ state: 'destroying', settled: false })
    await settleGone()
    expect(room.world.instances.size).toBe(0)
    expect(await room.read('Instance', 'web-a')).toBeUndefined()
  })

  it('does not come while nobody can look', async () => {
    await settle()
    await remove()
    room.world.cut()
    await room.clock.advance(0)
    expect((await pass()).state).toBe('transient')
    expect((await seen()).metadata.finalizers).toEqual(['gantry.dev/engine'])
    room.world.heal()
    await room.clock.advance(1000)
    await settleGone()
  })

  it('comes for what never was on an engine', async () => {
    await remove()
    await settleGone()
  })
})

async function settleGone(): Promise<void> {
  for (let left = 20; left > 0 && (await room.read('Instance', 'web-a')); left -= 1) {
    await pass()
    await room.clock.advance(1000)
  }
  expect(await room.read('Instance', 'web-a')).toBeUndefined()
}
