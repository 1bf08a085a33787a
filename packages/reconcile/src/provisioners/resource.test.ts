import { Fault } from '@gantry/core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Result } from '../results/result.ts'
import { breaking, type Mishap } from '../testing/breaking.ts'
import { MemoryResources } from '../testing/memory-resources.ts'
import { enter } from './enter.ts'
import { newPass, type Pass, type Verb } from './provisioner.ts'
import { type ResourceOptions, resource } from './resource.ts'

type Disk = { readonly size: number; readonly attached?: boolean }

const call = { signal: new AbortController().signal }
let world: MemoryResources<Disk>

beforeEach(() => {
  world = new MemoryResources<Disk>({ removalPasses: 2 })
})

function disk(size: number, more: Partial<ResourceOptions<Disk>> = {}) {
  return resource<Disk>({ name: 'disk', id: 'disk-1', driver: world, desired: { size }, ...more })
}

const walk = (verb: Verb, step = disk(1), more: Partial<Pass> = {}): Promise<Result> =>
  enter(step, verb, { ...newPass(call), ...more })

const read = async () => (await world.read('disk-1', newPass(call)))?.object

describe('a resource', () => {
  it('is made, and not written again while it is as desired', async () => {
    expect(await walk('provision')).toMatchObject({ state: 'done', path: 'disk' })
    expect(await walk('provision')).toMatchObject({ state: 'done' })
    expect(world.writes).toBe(1)
  })

  it('is updated when the desired state changes', async () => {
    await walk('provision', disk(1))
    await walk('provision', disk(2))
    expect(await read()).toEqual({ size: 2 })
    expect(world.writes).toBe(2)
  })

  it('is repaired when somebody else has changed it', async () => {
    await walk('provision')
    world.drift('disk-1', { size: 99 })
    expect(await walk('provision')).toMatchObject({ state: 'done' })
    expect(await read()).toEqual({ size: 1 })
  })

  it('waits until it works, and says for what', async () => {
    const waitsFor = ({ attached }: Disk) => (attached ? undefined : 'the disk to be attached')
    expect(await walk('provision', disk(1, { waitsFor }))).toMatchObject({
      state: 'yield',
      reason: 'the disk to be attached',
    })
    const attached = disk(1, { waitsFor, desired: { size: 1, attached: true } })
    expect(await walk('provision', attached)).toMatchObject({ state: 'done' })
  })

  it('is removed, and done only when it was seen to be gone', async () => {
    await walk('provision')
    expect(await walk('deprovision')).toMatchObject({ state: 'yield', reason: 'disk-1 to be gone' })
    expect(world.size).toBe(1)
    expect(await walk('deprovision')).toMatchObject({ state: 'done' })
    expect(world.size).toBe(0)
  })

  it('that is absent is removed already', async () => {
    expect(await walk('deprovision')).toMatchObject({ state: 'done' })
  })

  it('that is wanted again while it goes is made after it has gone', async () => {
    await walk('provision')
    await walk('deprovision')
    const states: string[] = []
    for (let pass = 0; pass < 5; pass++) states.push((await walk('provision')).state)
    expect(states).toContain('yield')
    expect(states.at(-1)).toBe('done')
    expect(await read()).toEqual({ size: 1 })
  })

  it.each(['provision', 'deprovision'] as const)(
    'tells that it could not look from everything else, on %s',
    async (verb) => {
      const blind = breaking(world, () => 'fails before')
      expect(await walk(verb, disk(1, { driver: blind }))).toMatchObject({ state: 'transient', blind: true })
    },
  )

  it('that cannot be written is a fault, but not blindness', async () => {
    const next = (method: string): Mishap | undefined => (method === 'apply' ? 'fails before' : undefined)
    const result = await walk('provision', disk(1, { driver: breaking(world, next) }))
    expect(result).toMatchObject({ state: 'transient', path: 'disk' })
    expect(result).not.toHaveProperty('blind')
  })

  it('adopts its own work when an apply failed after its effect', async () => {
    let first = true
    const next = (method: string): Mishap | undefined => {
      if (method !== 'apply' || !first) return undefined
      first = false
      return 'fails after'
    }
    const driver = breaking(world, next)
    expect(await walk('provision', disk(1, { driver }))).toMatchObject({ state: 'transient' })
    expect(await walk('provision', disk(1, { driver }))).toMatchObject({ state: 'done' })
    expect(world.writes).toBe(1)
  })

  it('on a cluster that is gone is gone with it, without asking', async () => {
    const cluster = { id: 'c', config: undefined, background: false }
    const unreachable = breaking(world, () => 'fails before')
    expect(await walk('deprovision', disk(1, { driver: unreachable }), { cluster })).toMatchObject({ state: 'done' })
  })

  it("stops with the caller's reason", async () => {
    const reason = new Fault('aborted', 'shutting down')
    const signal = AbortSignal.abort(reason)
    await expect(enter(disk(1), 'provision', newPass({ signal }))).rejects.toBe(reason)
  })
})
