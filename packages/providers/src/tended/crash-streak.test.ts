import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { CrashStreak } from './crash-streak.ts'

function streak() {
  const clock = new VirtualClock(100_000)
  let changes = 0
  const of = new CrashStreak(clock, () => {
    changes += 1
  })
  const crash = (restarts: number, ranMs = 10, agoMs = 0): void => {
    const at = clock.now() - agoMs
    of.ended({ startedAt: at - ranMs, at, restarts })
  }
  return { clock, of, crash, changes: () => changes }
}

describe('a service that ends', () => {
  it('keeps crashing from the third end in a row on, and since that', async () => {
    const { clock, of, crash } = streak()
    for (const restarts of [1, 2]) crash(restarts)
    expect(of.since).toBeUndefined()
    crash(3)
    await clock.advance(500)
    crash(4)
    expect(of.since).toBe(100_000)
  })

  it('does so no more when it was quiet for a minute after its last end, which is told', async () => {
    const { clock, of, crash, changes } = streak()
    crash(3)
    await clock.advance(59_000)
    crash(4, 10, 10_000)
    await clock.advance(49_000)
    expect([of.since, changes()]).toEqual([100_000, 0])
    await clock.advance(1000)
    expect([of.since, changes()]).toEqual([undefined, 1])
  })

  it('does not where it ran for a minute, or that is long ago, or somebody says that it is over', () => {
    const ends: [restarts: number, ranMs?: number, agoMs?: number][] = [[3, 60_000], [3, 10, 60_000], [2]]
    for (const end of ends) {
      const { of, crash } = streak()
      crash(3)
      crash(...end)
      expect(of.since).toBeUndefined()
    }
    const { of, crash } = streak()
    crash(3)
    of.over()
    expect(of.since).toBeUndefined()
  })
})
