import { describe, expect, it } from 'vitest'
import { Restarts } from './restarts.ts'

const hour = 3_600_000

describe('restarts of a service', () => {
  it('are counted as the daemon counts them, and once', () => {
    const restarts = new Restarts()
    for (const count of [0, 1, 1, 3]) restarts.see('c', count, 1000)
    expect([restarts.total, restarts.within(1000)]).toEqual([3, 3])
  })

  it('go on where the daemon begins anew, because somebody started it by hand', () => {
    const restarts = new Restarts()
    restarts.see('c', 2, 1000)
    restarts.add(2000)
    restarts.see('c', 0, 2000)
    restarts.see('c', 1, 3000)
    expect(restarts.total).toBe(4)
  })

  it('go on where the container is another one', () => {
    const restarts = new Restarts()
    restarts.see('c', 2, 1000)
    restarts.see('d', 1, 1000)
    expect(restarts.total).toBe(3)
  })

  it('are forgotten after an hour, though not in the sum', () => {
    const restarts = new Restarts()
    restarts.add(1000)
    restarts.add(2000)
    expect([restarts.within(1000 + hour), restarts.within(2000 + hour), restarts.total]).toEqual([1, 0, 2])
  })
})
