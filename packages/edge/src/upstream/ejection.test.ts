import { describe, expect, it } from 'vitest'
import { Ejection } from './ejection.ts'

describe('an address where nobody answers', () => {
  it('is left alone for longer each time in a row, and never for very long', () => {
    const ejection = new Ejection()
    const times: number[] = []
    let now = 0
    for (let turn = 0; turn < 8; turn++) {
      ejection.failed(now)
      times.push(ejection.leftMs(now))
      now += ejection.leftMs(now)
      expect(ejection.leftMs(now)).toBe(0)
    }
    expect(times).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  })

  it('is not left alone for longer because many requests were under way', () => {
    const ejection = new Ejection()
    for (let turn = 0; turn < 10; turn++) ejection.failed(turn)
    expect(ejection.leftMs(0)).toBe(250)
  })

  it('begins anew once somebody answered', () => {
    const ejection = new Ejection()
    ejection.failed(0)
    ejection.failed(250)
    ejection.worked()
    expect(ejection.leftMs(251)).toBe(0)
    ejection.failed(1000)
    expect(ejection.leftMs(1000)).toBe(250)
  })
})
