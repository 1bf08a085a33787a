import { isFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import type { Observation } from '../observed.ts'
import { simulatedEngine } from '../simulated/index.ts'
import { SimulatedWorld } from '../simulated/world.ts'
import { cuttable } from './cuttable.ts'
import { always, onCall, troubled } from './faults.ts'
import { simulatedHarness } from './simulated-harness.ts'

const call = { signal: new AbortController().signal }
const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const

function engineIn(clock: VirtualClock) {
  const world = new SimulatedWorld(clock)
  return { world, engine: simulatedEngine(world, 'i') }
}

async function desired() {
  return new Kit(await simulatedHarness()).desired({}, ref)
}

describe('a wrapped engine', () => {
  it('fails before its effect, and works the next time', async () => {
    const clock = new VirtualClock()
    const { world, engine } = engineIn(clock)
    const broken = troubled(engine, clock, onCall('converge', 0, { do: 'fail_before' }))
    const want = { ...(await desired()), installation: 'i' }
    await expect(broken.converge(want, call)).rejects.toSatisfy((error) => isFault(error, 'unavailable'))
    expect(world.instances.size).toBe(0)
    await broken.converge(want, call)
    expect(world.instances.size).toBe(1)
  })

  it('fails after its effect', async () => {
    const clock = new VirtualClock()
    const { world, engine } = engineIn(clock)
    const broken = troubled(engine, clock, always(['converge'], { do: 'fail_after' }))
    await expect(broken.converge({ ...(await desired()), installation: 'i' }, call)).rejects.toThrow()
    expect(world.instances.size).toBe(1)
  })

  it('hangs until its caller leaves, and answers with the reason', async () => {
    const clock = new VirtualClock()
    const broken = troubled(engineIn(clock).engine, clock, always(['look'], { do: 'hang' }))
    const leave = new AbortController()
    const looking = broken.look(ref, { signal: leave.signal })
    const reason = new Error('enough')
    leave.abort(reason)
    await expect(looking).rejects.toBe(reason)
  })

  it('is slow by the clock', async () => {
    const clock = new VirtualClock(0)
    const broken = troubled(engineIn(clock).engine, clock, always(['info'], { do: 'slow', ms: 700 }))
    let version = ''
    void broken.info(call).then((info) => {
      version = info.version
    })
    await clock.advance(699)
    expect(version).toBe('')
    await clock.advance(1)
    expect(version).not.toBe('')
  })

  it('can be cut off and brought back: calls fail, who watches is told, and then sees all anew', async () => {
    const clock = new VirtualClock()
    const { engine, cut, heal } = cuttable(engineIn(clock).engine, clock)
    const seen: Observation['type'][] = []
    const leave = new AbortController()
    const watching = (async () => {
      for await (const each of engine.observe({ signal: leave.signal })) seen.push(each.type)
    })()
    await clock.advance(1)
    cut()
    await expect(engine.look(ref, call)).rejects.toSatisfy((error) => isFault(error, 'unavailable'))
    await clock.advance(1)
    heal()
    expect(await engine.look(ref, call)).toBeUndefined()
    await clock.advance(1)
    expect(seen).toEqual(['snapshot', 'blind', 'snapshot'])
    const reason = new Error('enough')
    leave.abort(reason)
    await expect(watching).rejects.toBe(reason)
  })
})
