import { Fault, onAbort } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { heartbeat } from './heartbeat.ts'

const caller = () => new AbortController()

describe('an engine that says nothing', () => {
  it('is asked now and then, and followed for as long as it answers', async () => {
    const clock = new VirtualClock()
    let asked = 0
    const ask = async () => {
      asked += 1
    }
    const beat = heartbeat({ name: 'Docker', ask, clock }, caller())
    await clock.advance(60_000)
    expect([asked > 5, beat.signal.aborted]).toEqual([true, false])
    beat.clear()
    const before = asked
    await clock.advance(60_000)
    expect(asked).toBe(before)
  })

  it('is lost when it does not answer in time, with a cause of its own', async () => {
    const clock = new VirtualClock()
    const ask = ({ signal }: { signal: AbortSignal }) =>
      new Promise<void>((_, reject) => {
        onAbort(signal, () => reject(signal.reason))
      })
    const beat = heartbeat({ name: 'Docker', ask, clock }, caller())
    await clock.advance(60_000)
    expect(beat.signal.reason).toMatchObject({ reason: 'deadline_exceeded' })
    beat.clear()
  })

  it('is lost when it cannot be reached, and let go of when the caller leaves', async () => {
    const clock = new VirtualClock()
    const away = new Fault('engine_unreachable', 'away')
    const beat = heartbeat({ name: 'Docker', ask: () => Promise.reject(away), clock }, caller())
    await clock.advance(60_000)
    expect(beat.signal.reason).toBe(away)
    const leaver = caller()
    const other = heartbeat({ name: 'Docker', ask: async () => undefined, clock }, leaver)
    leaver.abort(new Error('enough'))
    expect(other.signal.reason).toBe(leaver.signal.reason)
  })
})
