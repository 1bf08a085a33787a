import { Fault, type ObjectOf } from '@gantry/core'
import { done, type Engine, type Pass, type TrafficWeights, waitFor } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import type { EngineHub } from '../../engines/engine-hub.ts'
import { startFleet } from '../testing/fleet.ts'
import { engineTraffic } from './engine-traffic.ts'

const call = { signal: new AbortController().signal }
const weights = { a: 0, b: 100 }
const rolloutWith = (own: TrafficWeights | undefined) =>
  ({ status: own ? { weights: own } : {} }) as unknown as ObjectOf<'Rollout'>
const workload = (spec: object = {}) =>
  ({ metadata: { tenant: 'shop', name: 'web', uid: 'u1' }, spec }) as unknown as ObjectOf<'Workload'>
const instance = (slot: string, provider = 'here', uid = slot) =>
  ({ metadata: { uid }, spec: { slot, provider } }) as unknown as ObjectOf<'Instance'>

/** Engines by Provider: what each answers, and what it was asked. */
function hubWith(engines: Readonly<Record<string, (() => Pass) | undefined>>) {
  const asked: string[] = []
  const hub: Pick<EngineHub, 'engine'> = {
    engine(provider) {
      if (!(provider in engines)) throw new Fault('engine_unreachable', `${provider} is away`)
      const answer = engines[provider]
      const traffic: Engine['traffic'] = async ({ workload: name }, { a, b }) => {
        asked.push(`${provider} ${name} ${a}/${b}`)
        return answer?.() ?? done
      }
      return (answer ? { traffic } : {}) as Engine
    },
  }
  return { traffic: engineTraffic(hub), asked }
}

const both = { workload: workload(), instances: [instance('a'), instance('b')] }

describe('requests that no edge stands before', () => {
  it.each<[string, Parameters<typeof hubWith>[0], object, object, string[]]>([
    ['an engine without such an address', { here: undefined }, {}, {}, []],
    ['an engine that has done it', { here: () => done }, {}, { engine: { acknowledged: true } }, ['here web 0/100']],
    [
      'an engine that has not yet',
      { here: () => waitFor('slot b', 10) },
      {},
      { engine: { acknowledged: false, why: 'slot b' } },
      ['here web 0/100'],
    ],
    ['an engine that is away', {}, {}, { engine: { acknowledged: false, why: 'it is refused: here is away' } }, []],
    ['what others wrote', { here: () => done }, { workload: workload({ source: {} }) }, {}, []],
    [
      'a slot on another engine, which has all that gets something',
      { here: () => done, there: () => done },
      { instances: [instance('a'), instance('b', 'there')] },
      { engine: { acknowledged: true } },
      ['there web 0/100'],
    ],
  ])('%s', async (_, engines, around, told, asked) => {
    const { traffic, asked: seen } = hubWith(engines)
    expect(await traffic.follow(rolloutWith(weights), { ...both, ...around }, call)).toEqual(told)
    expect(seen).toEqual(asked)
  })

  it('are asked for once, and anew for other weights, another slot or after they were forgotten', async () => {
    const { traffic, asked } = hubWith({ here: () => done })
    const follow = (own: TrafficWeights, instances = both.instances) =>
      traffic.follow(rolloutWith(own), { ...both, instances }, call)
    await follow(weights)
    await follow(weights)
    expect(asked).toHaveLength(1)
    await follow({ a: 50, b: 50 })
    await follow(weights, [instance('a'), instance('b', 'here', 'another')])
    traffic.forget('u1')
    await follow(weights, [instance('a'), instance('b', 'here', 'another')])
    expect(asked).toHaveLength(4)
  })

  it('are asked for before anybody has decided: not at all', async () => {
    const { traffic, asked } = hubWith({ here: () => done })
    expect(await traffic.follow(rolloutWith(undefined), both, call)).toEqual({})
    expect(asked).toEqual([])
  })

  it('keep the old slot until the engine sends them to the new one', async () => {
    const asked: string[] = []
    let isHeld = true
    const fleet = await startFleet({
      traffic: async (_, { a, b }) => {
        asked.push(`${a}/${b}`)
        return isHeld && b === 100 ? waitFor('its own time', 100) : done
      },
    })
    try {
      const strategy = { type: 'blue_green', minReadySeconds: 1, progressDeadlineSeconds: 30 } as const
      await fleet.deploy({ strategy })
      await fleet.reach('web-r1', 'succeeded')
      await fleet.deploy({ services: [{ name: 'web', image: 'app:2' }] })
      await fleet.until(async () => asked.includes('0/100') && fleet.edge.routed.at(-1) === '0/100')
      await fleet.pass(20_000)
      expect((await fleet.read('Rollout', 'web-r2'))?.status.waitingFor).toBe(
        'the engine to send 100 % of the requests to slot b (its own time)',
      )
      expect(await fleet.read('Instance', 'web-a')).toBeDefined()
      isHeld = false
      await fleet.reach('web-r2', 'succeeded')
      await fleet.until(async () => (await fleet.read('Instance', 'web-a')) === undefined)
    } finally {
      await fleet.stop()
    }
  })
})
