import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { priority } from './priority.ts'

let clock: VirtualClock
let queue: FairQueue

beforeEach(() => {
  clock = new VirtualClock()
  queue = new FairQueue(clock)
})

function run(): string | undefined {
  const item = queue.take()
  if (item) queue.done(item)
  return item?.key
}

describe('delayed adds', () => {
  it('add the key when its time has come, and not before', async () => {
    queue.addAfter('a', 100)
    await clock.advance(99)
    expect(run()).toBeUndefined()
    await clock.advance(1)
    expect(run()).toBe('a')
  })

  it.each([
    ['the second is earlier', [500, 100]],
    ['the first is earlier', [100, 500]],
  ])('keep the earlier of two when %s', async (_, delays) => {
    for (const delay of delays) queue.addAfter('a', delay)
    await clock.advance(100)
    expect(run()).toBe('a')
    await clock.advance(1000)
    expect(run()).toBeUndefined()
  })

  it('cause no run of their own when the key ran sooner for another reason', async () => {
    queue.addAfter('a', 100)
    queue.add('a')
    expect(run()).toBe('a')
    expect(queue.metrics().delayed).toBe(0)
    await clock.advance(1000)
    expect(run()).toBeUndefined()
  })

  it('are not needed for a key that waits already', async () => {
    queue.add('a')
    queue.addAfter('a', 100)
    expect(run()).toBe('a')
    await clock.advance(1000)
    expect(run()).toBeUndefined()
  })

  it('outlive the run during which they were asked for', async () => {
    queue.add('a')
    const item = queue.take()
    queue.addAfter('a', 100)
    if (item) queue.done(item)
    await clock.advance(100)
    expect(run()).toBe('a')
  })

  it('that fall due during a run cause one more run after it', async () => {
    queue.add('a')
    const item = queue.take()
    queue.addAfter('a', 100)
    await clock.advance(200)
    expect(queue.take()).toBeUndefined()
    if (item) queue.done(item)
    expect(run()).toBe('a')
  })

  it('fall due although their times are fractions that a clock cannot hit', async () => {
    queue.addAfter('a', 1000 / 3)
    await clock.advance(334)
    expect(run()).toBe('a')
  })

  it('without a delay are adds', () => {
    queue.addAfter('a', 0)
    expect(run()).toBe('a')
  })

  it('come back with the higher of the priorities they were asked for with', async () => {
    queue.addAfter('a', 100, '', priority.resync)
    queue.addAfter('a', 200, '', priority.change)
    await clock.advance(100)
    queue.add('b', '', priority.retry)
    expect([run(), run()]).toEqual(['a', 'b'])
  })

  it('share one timer, which is given back when nothing is delayed', async () => {
    for (let index = 0; index < 100; index++) queue.addAfter(`key-${index}`, 1000 - index)
    expect(clock.pending).toBe(1)
    await clock.advance(1000)
    expect(clock.pending).toBe(0)
    expect(queue.metrics().depth).toBe(100)
  })

  it('fall due in the order of their times', async () => {
    const delays = [70, 10, 50, 30, 90, 20, 60, 40, 80]
    for (const delay of delays) queue.addAfter(`after-${delay}`, delay)
    queue.add('after-30')
    run()
    await clock.advance(100)
    const order: (string | undefined)[] = []
    for (let key = run(); key; key = run()) order.push(key)
    expect(order).toEqual([10, 20, 40, 50, 60, 70, 80, 90].map((delay) => `after-${delay}`))
  })
})

describe('closing', () => {
  it('drops what is delayed, ignores what is added, and still serves what waits', async () => {
    queue.add('a')
    queue.addAfter('b', 10)
    queue.close()
    queue.add('c')
    queue.addAfter('d', 10)
    await clock.advance(100)
    expect([run(), run()]).toEqual(['a', undefined])
    expect(clock.pending).toBe(0)
    expect(queue.has('b')).toBe(false)
  })

  it('ends waiting for idleness when the last run is done', async () => {
    const { signal } = new AbortController()
    queue.add('a')
    const item = queue.take()
    let idle = false
    const waiting = queue.idle({ signal }).then(() => {
      idle = true
    })
    await clock.advance(0)
    expect(idle).toBe(false)
    if (item) queue.done(item)
    await waiting
    expect(idle).toBe(true)
  })
})
