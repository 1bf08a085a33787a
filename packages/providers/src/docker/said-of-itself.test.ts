import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { EngineInfo } from './api/types/system.ts'
import { saidOfItself } from './said-of-itself.ts'

const call = { signal: new AbortController().signal }

const asked = () => {
  const log: string[] = []
  const system = {
    isAway: false,
    ping: async () => {
      log.push('ping')
      if (system.isAway) throw new Fault('engine_unreachable', 'away')
    },
    info: async () => {
      log.push('info')
      return { ServerVersion: `after ${log.length}` } as EngineInfo
    },
  }
  return { log, system }
}

describe('what a daemon says of itself', () => {
  it('is asked once per connection, and that it answers every time', async () => {
    const { log, system } = asked()
    let connection: number | undefined = 1
    const say = saidOfItself(system, () => connection)
    const first = await say(call)
    expect(await say(call)).toBe(first)
    expect(log).toEqual(['info', 'ping'])
    connection = 2
    expect(await say(call)).not.toBe(first)
    expect(log).toEqual(['info', 'ping', 'info'])
  })

  it('is not believed of a daemon that does not answer', async () => {
    const { system } = asked()
    const say = saidOfItself(system, () => 1)
    await say(call)
    system.isAway = true
    await expect(say(call)).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('is asked anew while the daemon is lost, and where it is lost meanwhile', async () => {
    const { log, system } = asked()
    let connection: number | undefined
    const say = saidOfItself(system, () => connection)
    await say(call)
    connection = 1
    const asking = say(call)
    connection = 2
    await asking
    await say(call)
    expect(log).toEqual(['info', 'info', 'info'])
  })
})
