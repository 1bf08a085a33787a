import { simulatedEngine } from '@gantry/providers/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conditionOf } from './conditions.ts'
import { type Controllers, type ControllersOptions, startControllers } from './start.ts'
import { call, installation, keyOf, openRoom, type Room, scope } from './testing/room.ts'

let room: Room
let running: Controllers | undefined

beforeEach(async () => {
  room = await openRoom()
  await room.apply('Provider', 'here', { type: 'simulated', tenants: ['*'] })
})
afterEach(async () => {
  if (running) await settled(running.stop(call))
  running = undefined
  await settled(room.close())
  expect(room.clock.pending).toBe(0)
})

async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const finished = work.finally(() => {
    isOver = true
  })
  finished.catch(() => undefined)
  await room.clock.until(() => isOver)
  return await finished
}

async function start(more: Partial<ControllersOptions> = {}): Promise<Controllers> {
  const factories = { simulated: async () => ({ engine: simulatedEngine(room.world, installation) }) }
  running = await settled(startControllers({ ...room.deps, factories, shared: false, ...more }, call))
  return running
}

const services = [{ name: 'web', image: 'app:1' }]

async function isReady(): Promise<boolean> {
  const workload = await room.read('Workload', 'web')
  return workload !== undefined && conditionOf(workload, 'Ready')?.status === 'True'
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (await holds()) return
    await room.clock.advance(500)
  }
  throw new Error('not within a minute of virtual time')
}

describe('all controllers together', () => {
  it.each([
    ['that has the database to itself', false],
    ['that shares it with others, and says so with every write', true],
  ])('make a workload true and take it down, in a process %s', async (_, shared) => {
    await start({ shared })
    await room.apply('Workload', 'web', { replicas: 2, services })
    await until(isReady)
    expect(room.world.replicas.size).toBe(2)
    await room.store.write(scope, [{ op: 'delete', key: keyOf('Workload', 'web') }], {}, call)
    await until(async () => (await room.read('Workload', 'web')) === undefined)
    expect(room.world.instances.size).toBe(0)
    expect(await room.read('Release', 'web-v1')).toBeUndefined()
    expect(room.troubles).toEqual([])
  })

  it('leave what runs running when they stop, and go on with it when they are started again', async () => {
    const first = await start()
    await room.apply('Workload', 'web', { services })
    await until(isReady)
    const [replica] = room.world.replicas.keys()
    await settled(first.stop(call))
    await settled(room.deps.hub.close(call))
    expect([...room.world.replicas.keys()]).toEqual([replica])
    await start()
    await room.apply('Workload', 'web', { replicas: 2, services })
    await until(async () => room.world.replicas.size === 2)
    expect(room.world.replicas.has(replica ?? '')).toBe(true)
  })

  it('do not show everything as unknown for a moment because nobody has looked yet', async () => {
    const first = await start()
    await room.apply('Workload', 'web', { services })
    await until(isReady)
    const before = (await room.read('Instance', 'web-a'))?.metadata.resourceVersion
    await settled(first.stop(call))
    await settled(room.deps.hub.close(call))
    await start()
    await room.clock.advance(5_000)
    expect((await room.read('Instance', 'web-a'))?.metadata.resourceVersion).toBe(before)
  })

  it('start although an engine does not answer, which is shown as such', async () => {
    const engine = { ...simulatedEngine(room.world, installation), observe: () => silence() }
    await start({ factories: { simulated: async () => ({ engine }) } })
    await room.apply('Workload', 'web', { services })
    await until(async () => conditionOf((await room.read('Workload', 'web')) ?? { status: {} }, 'Ready') !== undefined)
    expect(conditionOf((await room.read('Workload', 'web')) ?? { status: {} }, 'Ready')?.status).toBe('Unknown')
  })

  it('are ready while they run, and say why they are not', async () => {
    const controllers = await start()
    await expect(controllers.ready(call)).resolves.toBeUndefined()
    const stopping = controllers.stop(call)
    await expect(controllers.ready(call)).rejects.toMatchObject({ reason: 'shutting_down' })
    await settled(stopping)
    expect([...controllers.queues.keys()]).toEqual([
      'provider',
      'instance',
      'rollout',
      'workload',
      'history',
      'orphans',
      'kept-secrets',
    ])
  })
})

/** Says nothing, and does not listen either. */
async function* silence(): AsyncGenerator<never> {
  await new Promise(() => undefined)
}
