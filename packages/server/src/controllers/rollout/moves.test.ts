import { SimulatedWorld, simulatedEngine } from '@gantry/providers/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Fleet, startFleet } from '../testing/fleet.ts'
import { call, installation } from '../testing/room.ts'

let fleet: Fleet
let there: SimulatedWorld
beforeEach(async () => {
  fleet = await startFleet()
  there = new SimulatedWorld(fleet.clock)
  await fleet.apply('Provider', 'there', { type: 'simulated', tenants: ['*'] })
  await fleet.deps.hub.keep('there', { engine: simulatedEngine(there, installation) }, call)
  await fleet.clock.advance(0)
})
afterEach(() => fleet.stop())

const gates = { minReadySeconds: 1, progressDeadlineSeconds: 30 } as const
const ready = (world: SimulatedWorld): number =>
  [...world.replicas.values()].filter(({ terminating, readySince }) => !terminating && readySince !== undefined).length

describe('a workload that goes to another provider', () => {
  it('comes up there before it goes from here', async () => {
    await fleet.deploy({ provider: 'here', strategy: { ...gates } })
    await fleet.reach('web-r1', 'succeeded')
    await fleet.deploy({ provider: 'there' })
    let fewest = 2
    await fleet.until(async () => {
      fewest = Math.min(fewest, ready(fleet.world) + ready(there))
      return (await fleet.read('Rollout', 'web-r2'))?.status.phase === 'succeeded'
    })
    expect(fewest).toBe(2)
    expect((await fleet.read('Rollout', 'web-r2'))?.spec).toMatchObject({ trigger: 'move', release: 1 })
    expect((await fleet.read('Instance', 'web-b'))?.spec.provider).toBe('there')
    await fleet.until(async () => fleet.world.instances.size === 0)
    expect(await fleet.read('Instance', 'web-a')).toBeUndefined()
  })

  it('stays here if it does not become ready there', async () => {
    await fleet.deploy({ provider: 'here', strategy: { ...gates } })
    await fleet.reach('web-r1', 'succeeded')
    there.images.set('app:1', { exits: { code: 1, afterMs: 10 } })
    there.missingImages.add('app:1')
    await fleet.deploy({ provider: 'there' })
    await fleet.reach('web-r2', 'rolled_back')
    await fleet.until(async () => there.instances.size === 0)
    expect(ready(fleet.world)).toBe(2)
    expect((await fleet.read('Rollout', 'web-r2'))?.status).toMatchObject({ stable: 'a', weights: { a: 100, b: 0 } })
  })

  it('goes from here first where it must never run twice', async () => {
    await fleet.deploy({ provider: 'here', type: 'stateful_set', strategy: { ...gates } })
    await fleet.reach('web-r1', 'succeeded')
    await fleet.deploy({ provider: 'there' })
    let together = false
    await fleet.until(async () => {
      together ||= fleet.world.replicas.size > 0 && there.replicas.size > 0
      return (await fleet.read('Rollout', 'web-r2'))?.status.phase === 'succeeded'
    })
    expect(together).toBe(false)
    expect([ready(fleet.world), ready(there)]).toEqual([0, 2])
  })
})
