import { describe, expect, it } from 'vitest'
import { Patience } from './patience.ts'

describe('patience with an address', () => {
  it('looks often first and more seldom later, and ends when a single connection would have', () => {
    let now = 1_000
    const patience = new Patience({ monotonic: () => now }, 5_000)
    const waits: number[] = []
    for (let wait = patience.nextMs(); wait !== undefined; wait = patience.nextMs()) {
      waits.push(wait)
      now += wait
    }
    expect(waits.slice(0, 7)).toEqual([10, 20, 40, 80, 160, 320, 320])
    expect(now).toBeGreaterThanOrEqual(6_000)
    expect(now).toBeLessThan(6_400)
  })

  it('is over after one connection that took all of the time', () => {
    let now = 0
    const patience = new Patience({ monotonic: () => now }, 5_000)
    patience.nextMs()
    now = 5_010
    expect(patience.nextMs()).toBeUndefined()
  })
})
