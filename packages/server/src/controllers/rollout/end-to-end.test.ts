import type { ObjectOf, WorkloadInput } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conditionOf } from '../conditions.ts'
import { type Fleet, startFleet } from '../testing/fleet.ts'

let fleet: Fleet
beforeEach(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.stop())

const gates = { minReadySeconds: 1, progressDeadlineSeconds: 30 } as const
const v = (image: number | string): Partial<WorkloadInput> => ({ services: [{ name: 'web', image: `app:${image}` }] })

async function workload(): Promise<ObjectOf<'Workload'>> {
  const found = await fleet.read('Workload', 'web')
  if (!found) throw new Error('there is no workload')
  return found
}

/** What runs on the engine and stays, as `slot release ready`. */
const running = (): string[] =>
  [...fleet.world.instances.values()]
    .flatMap(({ ref, replicas }) =>
      [...replicas.values()]
        .filter(({ terminating }) => !terminating)
        .map(({ desired, readySince }) => `${ref.slot} ${desired.release} ${readySince !== undefined}`),
    )
    .sort()

async function created(spec: Partial<WorkloadInput>): Promise<void> {
  await fleet.deploy(spec)
  await fleet.reach('web-r1', 'succeeded')
}

describe('a rollout', () => {
  it('brings up a workload, and says that it is ready', async () => {
    await created({ strategy: { ...gates } })
    expect(running()).toEqual(['a v1 true', 'a v1 true'])
    await fleet.until(async () => conditionOf(await workload(), 'Ready')?.status === 'True')
    expect((await workload()).status).toMatchObject({ release: 1, stable: 'a', readyReplicas: 2, state: 'running' })
    expect((await fleet.read('Rollout', 'web-r1'))?.status).toMatchObject({ weights: { a: 100, b: 0 }, stable: 'a' })
  })

  it('rolls: never fewer ready than wanted, and in the slot that is there', async () => {
    await created({ strategy: { ...gates } })
    await fleet.deploy(v(2))
    let fewest = 2
    await fleet.until(async () => {
      fewest = Math.min(fewest, running().filter((each) => each.endsWith('true')).length)
      return (await fleet.read('Rollout', 'web-r2'))?.status.phase === 'succeeded'
    })
    expect(fewest).toBe(2)
    expect(running()).toEqual(['a v2 true', 'a v2 true'])
    expect(await fleet.read('Instance', 'web-b')).toBeUndefined()
  })

  it('recreates: never two releases at once', async () => {
    await created({ strategy: { type: 'recreate', ...gates } })
    await fleet.deploy(v(2))
    const together = new Set<string>()
    await fleet.until(async () => {
      together.add([...new Set(running().map((each) => each.split(' ')[1]))].join('+'))
      return (await fleet.read('Rollout', 'web-r2'))?.status.phase === 'succeeded'
    })
    expect([...together].filter((seen) => seen.includes('+'))).toEqual([])
    expect(running()).toEqual(['a v2 true', 'a v2 true'])
  })

  it('goes blue-green: up beside the old, one switch, and then the old goes', async () => {
    await created({ strategy: { type: 'blue_green', ...gates } })
    await fleet.deploy(v(2))
    await fleet.reach('web-r2', 'succeeded')
    expect(fleet.edge.routed).toEqual(['100/0', '0/100'])
    await fleet.until(async () => (await fleet.read('Instance', 'web-a')) === undefined)
    expect(running()).toEqual(['b v2 true', 'b v2 true'])
    expect((await fleet.read('Rollout', 'web-r2'))?.status).toMatchObject({ stable: 'b', weights: { a: 0, b: 100 } })
  })

  it('switches back at once to what is still warm', async () => {
    await created({ strategy: { type: 'blue_green', warmSeconds: 300, ...gates } })
    await fleet.deploy(v(2))
    await fleet.until(async () => (await fleet.read('Rollout', 'web-r2'))?.status.step === 'warm')
    const decided = fleet.clock.now()
    await fleet.deploy(v(1))
    await fleet.until(async () => fleet.edge.routed.at(-1) === '100/0')
    expect(fleet.clock.now() - decided).toBeLessThan(2000)
    await fleet.reach('web-r3', 'succeeded')
    expect((await fleet.read('Rollout', 'web-r2'))?.status.phase).toBe('superseded')
    await fleet.until(async () => running().join() === 'a v1 true,a v1 true')
  })

  it('waits for a person to promote, if told to', async () => {
    await created({ strategy: { type: 'blue_green', autoPromote: false, ...gates } })
    await fleet.deploy(v(2))
    const { status } = await fleet.reach('web-r2', 'paused')
    expect(status).toMatchObject({ step: 'gate', waitingOn: 'person' })
    await fleet.pass(600_000)
    expect(fleet.edge.routed).toEqual(['100/0'])
    await fleet.say('web-r2', { promote: 1 })
    await fleet.reach('web-r2', 'succeeded')
  })

  it('goes canary: step by step, with a gate', async () => {
    const steps = [
      { weight: 10, pauseSeconds: 60 },
      { weight: 50, manual: true as const },
    ]
    await created({ strategy: { type: 'canary', steps, ...gates } })
    await fleet.deploy(v(2))
    await fleet.until(async () => (await fleet.read('Rollout', 'web-r2'))?.status.stepIndex === 0)
    const begun = fleet.clock.now()
    await fleet.reach('web-r2', 'paused')
    expect(fleet.clock.now() - begun).toBeGreaterThanOrEqual(60_000)
    expect(fleet.edge.routed).toEqual(['100/0', '90/10', '50/50'])
    await fleet.say('web-r2', { promote: 1 })
    await fleet.reach('web-r2', 'succeeded')
    expect(fleet.edge.routed.at(-1)).toBe('0/100')
    await fleet.until(async () => running().join() === 'b v2 true,b v2 true')
  })

  it('ends a canary whose requests fail', async () => {
    const steps = [{ weight: 10, pauseSeconds: 600 }]
    const analysis = { maxErrorRate: 0.05, minRequests: 20 }
    await created({ strategy: { type: 'canary', steps, analysis, ...gates } })
    await fleet.deploy(v(2))
    await fleet.until(async () => fleet.edge.routed.at(-1) === '90/10')
    fleet.edge.figures = { a: { requests: 900, errors: 0 }, b: { requests: 100, errors: 30 } }
    const { status } = await fleet.reach('web-r2', 'rolled_back')
    expect(status.failure).toMatchObject({ reason: 'error_rate', message: expect.stringContaining('30 of 100') })
    expect(status.weights).toEqual({ a: 100, b: 0 })
    await fleet.until(async () => running().join() === 'a v1 true,a v1 true')
  })

  it('restarts every replica without a release', async () => {
    await created({ strategy: { ...gates } })
    const before = [...fleet.world.replicas.keys()]
    await fleet.deploy({ restartStamp: 'now' })
    expect((await fleet.reach('web-r2', 'succeeded')).spec).toMatchObject({ release: 1, trigger: 'restart' })
    expect([...fleet.world.replicas.keys()].filter((id) => before.includes(id))).toEqual([])
  })

  it('replaces the replicas of a stateful_set one by one, from the highest down', async () => {
    await created({ type: 'stateful_set', replicas: 3, strategy: { ...gates } })
    await fleet.deploy(v(2))
    const order: number[] = []
    await fleet.until(async () => {
      for (const { index, desired } of fleet.world.replicas.values()) {
        if (desired.release === 'v2' && !order.includes(index)) order.push(index)
      }
      return (await fleet.read('Rollout', 'web-r2'))?.status.phase === 'succeeded'
    })
    expect(order).toEqual([2, 1, 0])
  })
})
