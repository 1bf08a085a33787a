import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { Departures } from './departures.ts'
import { TableNumbers } from './table-number.ts'

describe('a replica that is to leave', () => {
  it('gets nothing new from when it is routed out until it is gone', async () => {
    const clock = new VirtualClock()
    const departures = new Departures(clock)
    expect(departures.ask('r1')).toBe(0)
    expect([...departures.lasting()]).toEqual([])
    expect(departures.routeOut('r1', 3)).toBe(3)
    await clock.advance(700)
    expect(departures.ask('r1')).toBe(700)
    expect([...departures.lasting()]).toEqual(['r1'])
    expect(departures.routeOut('r1', 9)).toBe(3)
  })

  it('stays after all when nobody asks about it any more', async () => {
    const clock = new VirtualClock()
    const departures = new Departures(clock)
    departures.ask('r1')
    departures.routeOut('r1', 0)
    await clock.advance(31_000)
    expect([...departures.lasting()]).toEqual([])
    expect(departures.ask('r1')).toBe(0)
  })
})

describe('numbers of tables', () => {
  it('grow, also faster than time, after a restart, and past those of others', () => {
    let now = 1000
    const clock = { now: () => now }
    const numbers = new TableNumbers(clock)
    expect([numbers.next(), numbers.next(), numbers.next()]).toEqual([1000, 1001, 1002])
    now = 5000
    expect(new TableNumbers(clock).next()).toBe(5000)
    now = 100
    expect(numbers.next()).toBe(1003)
    numbers.heed(9000)
    expect(numbers.next()).toBe(9001)
  })
})
