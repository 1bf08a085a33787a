import { Fault } from '@gantry/core'
import { leaveAtOnce, overlay } from '@gantry/providers'
import { simulatedEngine } from '@gantry/providers/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EngineFactory } from '../../providers/engine-factories.ts'
import { put } from '../../vault/testing/subject.ts'
import { conditionOf } from '../conditions.ts'
import { call, installation, keyOf, openRoom, type Room, scope } from '../testing/room.ts'
import { providerTiming, reconcileProvider } from './reconcile.ts'

const key = keyOf('Provider', 'here')
let room: Room
let opened: string[]
let closed: number

beforeEach(async () => {
  room = await openRoom()
  opened = []
  closed = 0
  await room.apply('Provider', 'here', { type: 'simulated' })
})
afterEach(() => room.close())

const simulated: EngineFactory = async ({ spec }) => {
  opened.push(spec.tenants.join())
  const close = async (): Promise<void> => {
    closed += 1
  }
  return { engine: simulatedEngine(room.world, installation), close }
}

const reconcile = (factories = { simulated }) =>
  reconcileProvider({ ...room.deps, factories, leavingFor: () => leaveAtOnce })

async function said(type = 'Ready'): Promise<string> {
  const provider = await room.read('Provider', 'here')
  const { status, reason, message } = (provider && conditionOf(provider, type)) ?? {}
  return `${status} ${reason} ${message}`
}

describe('a pass over a provider', () => {
  it('opens its engine once, and says that it answers', async () => {
    const pass = reconcile()
    await room.run(pass, key)
    await room.clock.advance(0)
    const result = await room.run(pass, key)
    expect(opened).toEqual(['default'])
    expect(await said()).toBe('True answers simulated 1.0.0 answers')
    expect(result).toMatchObject({ state: 'yield', retryAfterMs: providerTiming.everyMs })
    expect((await room.read('Provider', 'here'))?.status).toMatchObject({ version: '1.0.0', latencyMs: 0 })
  })

  it('writes nothing only because time has passed', async () => {
    const pass = reconcile()
    await room.run(pass, key)
    await room.clock.advance(0)
    await room.run(pass, key)
    const before = (await room.read('Provider', 'here'))?.metadata.resourceVersion
    await room.clock.advance(60_000)
    await room.run(pass, key)
    expect((await room.read('Provider', 'here'))?.metadata.resourceVersion).toBe(before)
  })

  it('opens it anew, after letting go of the one before, when its spec has changed', async () => {
    const pass = reconcile()
    await room.run(pass, key)
    await room.apply('Provider', 'here', { type: 'simulated', tenants: ['*'] })
    await room.run(pass, key)
    expect(opened).toEqual(['default', '*'])
    expect(closed).toBe(1)
  })

  it('opens it anew when a secret that it names has new values, and comes back for that', async () => {
    await room.apply('Provider', 'here', {
      type: 'docker',
      docker: { endpoint: 'tcp://east:2376', tls: { secret: 'east', tenant: 'shop' } },
    })
    await room.apply('Secret', 'east', {})
    const keys: string[] = []
    const docker: EngineFactory = async ({ secrets }, during) => {
      const { value } = await secrets.resolve({ tenant: 'shop', name: 'east', key: 'key' }, during)
      keys.push(value.reveal())
      return { engine: simulatedEngine(room.world, installation) }
    }
    const pass = reconcileProvider({ ...room.deps, factories: { docker } })
    const references = [{ kind: 'Secret', tenant: 'shop', name: 'east' }]
    expect(await room.run(pass, key)).toMatchObject({ state: 'permanent', references })
    expect(await said()).toMatch(/^False secret_not_found The secret "east" has no data/)
    for (const value of ['first', 'second']) {
      await put(room, 'shop', 'east', { key: value })
      expect(await room.run(pass, key)).toMatchObject({ state: 'yield', references })
      await room.run(pass, key)
    }
    expect(keys).toEqual(['first', 'second'])
  })

  it('shows what the engine says of itself', async () => {
    const telling: EngineFactory = async () => {
      const engine = simulatedEngine(room.world, installation)
      const facts = { 'storage driver': 'overlay2' }
      return { engine: overlay(engine, { info: async () => ({ version: '2', facts, limits: ['no gpu'] }) }) }
    }
    await room.run(reconcile({ simulated: telling }), key)
    expect((await room.read('Provider', 'here'))?.status).toMatchObject({
      version: '2',
      facts: { 'storage driver': 'overlay2' },
      limits: ['no gpu'],
    })
  })

  it('asks an engine as often as it says that it wants to be, and waits for it no longer', async () => {
    let isHung = false
    const near: EngineFactory = async () => {
      const engine = simulatedEngine(room.world, installation)
      const info: typeof engine.info = (during) => (isHung ? new Promise(() => undefined) : engine.info(during))
      return { engine: overlay(engine, { info }), health: { everyMs: 1500, withinMs: 3000 } }
    }
    const pass = reconcile({ simulated: near })
    await room.run(pass, key)
    await room.clock.advance(0)
    expect(await room.run(pass, key)).toMatchObject({ retryAfterMs: 1500 })
    isHung = true
    const looking = room.run(pass, key)
    await room.clock.advance(3000)
    await looking
    expect(await said()).toMatch(/^False deadline_exceeded Asking simulated whether it is well took longer than 3/)
  })

  it('says why an engine cannot be reached, and looks again sooner', async () => {
    const pass = reconcile()
    await room.run(pass, key)
    room.world.cut()
    await room.clock.advance(0)
    expect(await room.run(pass, key)).toMatchObject({ retryAfterMs: providerTiming.againMs })
    expect(await said()).toBe('False engine_unreachable The simulated engine cannot be reached')
    room.world.heal()
    await room.clock.advance(0)
    await room.run(pass, key)
    expect(await said()).toMatch(/^True answers/)
  })

  it('finds out an engine that hangs although its stream says nothing, and does not trust it until it is well', async () => {
    let isHung = false
    const hanging: EngineFactory = async () => {
      const engine = simulatedEngine(room.world, installation)
      const info: typeof engine.info = (during) => (isHung ? new Promise(() => undefined) : engine.info(during))
      return { engine: overlay(engine, { info }) }
    }
    const pass = reconcile({ simulated: hanging })
    await room.run(pass, key)
    await room.clock.advance(0)
    isHung = true
    const asked = room.run(pass, key)
    await room.clock.advance(providerTiming.withinMs)
    await asked
    expect(room.deps.hub.view('here')?.state).toBe('blind')
    expect(await said()).toMatch(/^False deadline_exceeded Asking simulated whether it is well took longer than/)
  })

  it('says why an engine could not be opened, and whether that is tried again', async () => {
    const failing = (fault: Fault) => reconcile({ simulated: async () => Promise.reject(fault) })
    const away = await room.run(failing(new Fault('engine_unreachable', 'No socket')), key)
    expect(away).toMatchObject({ state: 'yield' })
    expect(room.deps.hub.view('here')).toMatchObject({ state: 'blind', fault: { message: 'No socket' } })
    const never = await room.run(failing(new Fault('schema', 'No such address')), key)
    expect(never.state).toBe('permanent')
    expect(await said('Degraded')).toBe('True schema No such address')
  })

  it('does not wait for one that never opens: it is unknown, and tried again soon', async () => {
    let closed = 0
    const late: EngineFactory = async ({ clock }, during) => {
      await new Promise((resolve) => clock.after(providerTiming.openMs + 1, () => resolve(undefined)))
      expect(during.signal.aborted).toBe(true)
      const close = async (): Promise<void> => {
        closed += 1
      }
      return { engine: simulatedEngine(room.world, 'ours'), close }
    }
    const asked = room.run(reconcile({ simulated: late }), key)
    await room.clock.advance(providerTiming.openMs)
    expect((await asked).state).toBe('yield')
    expect(await said()).toMatch(/^False deadline_exceeded Opening the engine of provider "here" took longer than/)
    expect(room.deps.hub.view('here')?.state).toBe('blind')
    await room.clock.advance(1)
    expect(closed).toBe(1)
  })

  it('names the types that there are where it asks for another', async () => {
    await room.apply('Provider', 'here', { type: 'other' })
    await room.run(reconcile(), key)
    expect(await said()).toBe(
      'False field_unsupported This server has no engine of type "other"; it was started with simulated',
    )
  })

  it('lets go of the engine when the provider is gone', async () => {
    const pass = reconcile()
    await room.run(pass, key)
    await room.store.write(scope, [{ op: 'delete', key }], {}, call)
    await room.run(pass, key)
    expect(closed).toBe(1)
    expect(room.deps.hub.view('here')).toBeUndefined()
  })
})
