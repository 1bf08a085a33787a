import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import type { Engine, Observation, Ref } from '@gantry/providers'
import { overlay, SimulatedWorld, simulatedEngine } from '@gantry/providers/testing'
import { describe, expect, it } from 'vitest'
import { openHub } from './open-hub.ts'

const ref: Ref = { tenant: 'shop', workload: 'web', uid: 'u1', slot: 'a' }
const other: Ref = { ...ref, uid: 'u2' }
const call = { signal: new AbortController().signal }
const installation = 'ours'

async function subject(wrap: (engine: Engine, clock: VirtualClock) => Engine = (engine) => engine) {
  const clock = new VirtualClock()
  const world = new SimulatedWorld(clock)
  const hub = openHub(clock)
  const told: string[] = []
  hub.subscribe((provider, seen) => told.push(`${provider} ${seen.type}`))
  await hub.keep('here', { engine: wrap(simulatedEngine(world, installation), clock) }, call)
  return { clock, world, hub, told }
}

describe('the engine hub', () => {
  it('knows nothing before the first look, and says so', async () => {
    const { hub } = await subject()
    expect(hub.sight('here', ref)).toMatchObject({ state: 'blind', last: undefined })
    expect(hub.view('here')?.state).toBe('blind')
  })

  it('tells absence from not having looked', async () => {
    const { hub, clock } = await subject()
    await clock.advance(0)
    expect(hub.sight('here', ref)).toMatchObject({ state: 'seen', observed: undefined })
  })

  it('shows what is made and what is gone, after which listeners are told', async () => {
    const { hub, clock, world, told } = await subject()
    await clock.advance(0)
    const instance = world.createInstance(ref, installation)
    await clock.advance(0)
    expect(hub.sight('here', ref)).toMatchObject({ state: 'seen', observed: { ref } })
    expect(hub.all('here')).toHaveLength(1)
    world.forgetInstance(instance)
    await clock.advance(0)
    expect(hub.sight('here', ref)).toMatchObject({ state: 'seen', observed: undefined })
    expect(told).toEqual(['here snapshot', 'here changed', 'here gone'])
  })

  it('never sees what is of another installation', async () => {
    const { hub, clock, world } = await subject()
    world.createInstance(ref, 'theirs')
    await clock.advance(0)
    expect(hub.all('here')).toEqual([])
  })

  it('is blind while the engine is cut off, since then, and keeps what it saw last', async () => {
    const { hub, clock, world } = await subject()
    world.createInstance(ref, installation)
    await clock.advance(1000)
    const since = new Date(clock.now())
    world.cut()
    await clock.advance(60_000)
    expect(hub.sight('here', ref)).toMatchObject({ state: 'blind', since, last: { ref } })
    expect(hub.sight('here', ref)).toMatchObject({ fault: { reason: 'engine_unreachable' } })
    world.heal()
    await clock.advance(0)
    expect(hub.sight('here', ref)).toMatchObject({ state: 'seen', observed: { ref } })
  })

  it('forgets after a gap what is no longer there, and tells that it went', async () => {
    const { hub, clock, world, told } = await subject()
    const instance = world.createInstance(ref, installation)
    await clock.advance(0)
    world.cut()
    world.forgetInstance(instance)
    world.createInstance(other, installation)
    world.heal()
    await clock.advance(0)
    expect(hub.sight('here', ref)).toMatchObject({ state: 'seen', observed: undefined })
    expect(hub.sight('here', other)).toMatchObject({ state: 'seen', observed: { ref: other } })
    expect(told.slice(2, 5)).toEqual(['here blind', 'here snapshot', 'here gone'])
  })

  it('asks for a stream again that ended or failed, ever more slowly, and says since when it is blind', async () => {
    const asked: number[] = []
    const { hub, clock } = await subject((engine, time) =>
      overlay(engine, {
        observe: () => {
          asked.push(time.now())
          return failing()
        },
      }),
    )
    const since = new Date(clock.now())
    await clock.advance(120_000)
    expect(hub.view('here')).toMatchObject({ state: 'blind', fault: { message: 'gone' }, since })
    const gaps = asked.slice(1).map((at, before) => at - (asked[before] ?? 0))
    expect(gaps.slice(0, 7)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000])
    expect(Math.max(...gaps)).toBe(10_000)
  })

  it('does not trust a stream that is doubted until it has said everything anew', async () => {
    let streams = 0
    const { hub, clock } = await subject((engine) =>
      overlay(engine, {
        observe: (during) => {
          streams += 1
          return engine.observe(during)
        },
      }),
    )
    await clock.advance(0)
    hub.doubt('here', new Fault('deadline_exceeded', 'It does not answer'))
    expect(hub.sight('here', ref)).toMatchObject({ state: 'blind', fault: { reason: 'deadline_exceeded' } })
    await clock.advance(1000)
    expect(streams).toBe(2)
    expect(hub.sight('here', ref).state).toBe('seen')
  })

  it('ends calls that are under way when the engine is lost, also one that hangs, with the reason', async () => {
    const { hub, clock } = await subject((engine) => overlay(engine, { look: () => new Promise(() => undefined) }))
    await clock.advance(0)
    const looked = hub.engine('here').look(ref, call)
    hub.doubt('here', new Fault('deadline_exceeded', 'It does not answer'))
    await expect(looked).rejects.toThrow('It does not answer')
    await expect(hub.engine('here').look(ref, call)).rejects.toThrow('It does not answer')
    await hub.close(call)
    expect(clock.pending).toBe(0)
  })

  it('ends a call that takes too long, though nothing is known to be wrong', async () => {
    const { hub, clock } = await subject((engine) => overlay(engine, { look: () => new Promise(() => undefined) }))
    await clock.advance(0)
    const looked = hub.engine('here').look(ref, call)
    const failed = expect(looked).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    await clock.advance(30_000)
    await failed
  })

  it('is blind with the reason where an engine could not be opened', async () => {
    const { hub, told } = await subject()
    hub.refuse('there', new Fault('engine_unreachable', 'No socket'))
    expect(hub.sight('there', ref)).toMatchObject({ state: 'blind', fault: { message: 'No socket' } })
    expect(() => hub.engine('there')).toThrow('No socket')
    expect(told).toContain('there blind')
  })

  it('is unknown while its engine is being opened, since it cannot be looked at, and not absent', async () => {
    const { hub, clock } = await subject()
    const since = new Date(clock.now())
    await hub.opening('there', call)
    await clock.advance(1000)
    expect(hub.sight('there', ref)).toMatchObject({ state: 'blind', fault: { reason: 'engine_unreachable' }, since })
    expect(() => hub.engine('there')).toThrow('is being opened')
    hub.refuse('there', new Fault('engine_unreachable', 'No socket'))
    await hub.opening('there', call)
    expect(hub.sight('there', ref)).toMatchObject({ state: 'blind', fault: { message: 'No socket' }, since })
    await hub.drop('there', call)
    expect(hub.view('there')).toBeUndefined()
  })

  it('has no engine for a provider that is not there', async () => {
    const { hub } = await subject()
    expect(() => hub.engine('nowhere')).toThrow(expect.objectContaining({ reason: 'provider_not_found' }))
    expect(hub.sight('nowhere', ref)).toMatchObject({ state: 'blind', fault: { reason: 'provider_not_found' } })
    expect(hub.view('nowhere')).toBeUndefined()
  })

  it('lets go of an engine, closes it once, and leaves no timer behind', async () => {
    const { hub, clock } = await subject()
    let closed = 0
    const engine = simulatedEngine(new SimulatedWorld(clock), installation)
    const close = async (): Promise<void> => {
      closed += 1
    }
    await hub.keep('here', { engine, close }, call)
    await clock.advance(0)
    await hub.drop('here', call)
    await hub.close(call)
    expect(closed).toBe(1)
    expect(hub.view('here')).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  it('lets go of an engine also where its stream does not listen', async () => {
    const { hub, clock } = await subject((engine) => overlay(engine, { observe: () => deaf() }))
    await hub.close(call)
    expect(hub.view('here')).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  it('says when every engine was looked at once, also one that comes later or cannot be opened', async () => {
    const { hub, clock } = await subject()
    let over = false
    const waited = hub.looked(['here', 'there'], call).then(() => {
      over = true
    })
    await clock.advance(0)
    expect(over).toBe(false)
    hub.refuse('there', new Fault('engine_unreachable', 'No socket'))
    await waited
    expect(over).toBe(true)
  })

  it('stops waiting for a first look with the reason it was given', async () => {
    const { hub } = await subject()
    const stop = new AbortController()
    const waited = hub.looked(['nowhere'], stop)
    stop.abort(new Error('enough'))
    await expect(waited).rejects.toThrow('enough')
  })
})

async function* deaf(): AsyncGenerator<Observation> {
  await new Promise(() => undefined)
}

// biome-ignore lint/correctness/useYield: this is a stream that fails before its first word.
async function* failing(): AsyncGenerator<Observation> {
  throw new Fault('engine_unreachable', 'gone')
}
