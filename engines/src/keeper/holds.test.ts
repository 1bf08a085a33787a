import { describe, expect, it } from 'vitest'
import { Holds } from './holds.ts'

const runner = { pid: 7, started: 'today' }

describe('the holds on an engine', () => {
  it('count the time since the last user went', () => {
    const holds = new Holds(0)
    const [first, second] = [{}, {}]
    holds.add(first)
    holds.add(second)
    expect(holds.emptyForMs(1_000)).toBe(0)
    holds.remove(first, 2_000)
    expect(holds.emptyForMs(3_000)).toBe(0)
    holds.remove(second, 4_000)
    expect(holds.emptyForMs(4_500)).toBe(500)
  })

  it('count from the beginning for a keeper that nobody comes to', () => {
    expect(new Holds(100).emptyForMs(300)).toBe(200)
  })

  it('do not count the leaving of somebody who never held it', () => {
    const holds = new Holds(0)
    holds.remove({}, 900)
    expect(holds.emptyForMs(1_000)).toBe(1_000)
  })

  it('last as long as a sponsor does, and no longer', () => {
    const holds = new Holds(0)
    const user = {}
    holds.add(user)
    holds.sponsor(runner)
    holds.sponsor({ ...runner })
    holds.remove(user, 10)
    expect(holds.emptyForMs(5_000)).toBe(0)
    holds.dropSponsors(() => false, 6_000)
    expect(holds.emptyForMs(6_000)).toBe(0)
    holds.dropSponsors(({ pid }) => pid === 7, 7_000)
    expect(holds.emptyForMs(7_001)).toBe(1)
  })

  it('stand without any user once somebody has asked for that', () => {
    const holds = new Holds(0)
    holds.stand()
    expect(holds.emptyForMs(1e9)).toBe(0)
    expect(holds.standing).toBe(true)
  })
})
