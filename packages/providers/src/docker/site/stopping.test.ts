import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { DockerApi } from '../api/api.ts'
import type { ContainerSeen } from './seen.ts'
import type { ServiceMemory } from './service-memory.ts'
import { Stopping } from './stopping.ts'

type Asked = { readonly id: string; readonly grace: number; readonly settle: (error?: Fault) => void }

function rig() {
  const clock = new VirtualClock()
  const asked: Asked[] = []
  const ended: string[] = []
  const doubts: unknown[] = []
  const containers = {
    stop: (id: string, grace: number) =>
      new Promise<void>((resolve, reject) => {
        asked.push({ id, grace, settle: (error) => (error ? reject(error) : resolve()) })
      }),
  }
  const api = { containers } as unknown as DockerApi
  const life = { signal: new AbortController().signal }
  const stopping = new Stopping({
    api,
    clock,
    life,
    doubt: (error) => doubts.push(error),
    ended: (id) => ended.push(id),
  })
  return { clock, asked, ended, doubts, stopping }
}

const service = (name: string, role: 'main' | 'sidecar', status = 'running') =>
  ({ record: { name, role }, container: { id: name, status } as ContainerSeen }) as ServiceMemory

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a replica on its way down', () => {
  it('has main end first, each asked once, and the others with what is left of the grace', async () => {
    const { stopping, asked, ended, clock } = rig()
    const [main, side] = [service('main', 'main'), service('side', 'sidecar')]
    stopping.begin(10_000)
    expect([stopping.step([side, main]), stopping.step([side, main])]).toEqual([false, false])
    expect(asked.map(({ id, grace }) => [id, grace])).toEqual([['main', 10]])
    await clock.advance(4000)
    asked[0]?.settle()
    await turn()
    expect(ended).toEqual(['main'])
    expect(stopping.step([side, service('main', 'main', 'exited')])).toBe(false)
    expect(asked.at(-1)).toMatchObject({ id: 'side', grace: 6 })
    expect(stopping.step([service('side', 'sidecar', 'exited')])).toBe(true)
  })

  it('is asked again when it shall be quicker, and when the daemon did not hear', async () => {
    const { stopping, asked, doubts } = rig()
    const main = service('main', 'main')
    stopping.begin(10_000)
    stopping.step([main])
    stopping.begin(1000)
    stopping.step([main])
    expect(asked.map(({ grace }) => grace)).toEqual([10, 1])
    asked[1]?.settle(new Fault('engine_unreachable', 'away'))
    await turn()
    expect(doubts).toMatchObject([{ reason: 'engine_unreachable' }])
    stopping.step([main])
    expect(asked).toHaveLength(3)
  })

  it('has ended where the daemon knows it no more', async () => {
    const { stopping, asked, ended } = rig()
    stopping.begin(0)
    stopping.step([service('main', 'main')])
    asked[0]?.settle(new Fault('engine_object_not_found', 'gone'))
    await turn()
    expect(ended).toEqual(['main'])
  })
})
