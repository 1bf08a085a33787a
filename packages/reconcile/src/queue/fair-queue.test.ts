import { isFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { priority } from './priority.ts'
import type { WorkItem } from './work-queue.ts'

let clock: VirtualClock
let queue: FairQueue

beforeEach(() => {
  clock = new VirtualClock()
  queue = new FairQueue(clock)
})

function taken(): WorkItem {
  const item = queue.take()
  if (!item) throw new Error('nothing to take')
  return item
}

/** Takes and ends everything that waits, in the order it is served. */
function drained(): string[] {
  const keys: string[] = []
  for (let item = queue.take(); item; item = queue.take()) {
    keys.push(item.key)
    queue.done(item)
  }
  return keys
}

describe('one run per key', () => {
  it('serves keys first in, first out', () => {
    for (const key of ['a', 'b', 'c']) queue.add(key)
    expect(drained()).toEqual(['a', 'b', 'c'])
  })

  it('does not queue a key twice', () => {
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key)
    expect(queue.metrics().depth).toBe(2)
    expect(drained()).toEqual(['a', 'b'])
  })

  it('runs a key exactly once more, however often it was added during its run', () => {
    queue.add('a')
    const run = taken()
    for (let count = 0; count < 5; count++) queue.add('a')
    expect(queue.take()).toBeUndefined()
    queue.done(run)
    expect(drained()).toEqual(['a'])
  })

  it('never hands out a key that is still running', () => {
    queue.add('a')
    const run = taken()
    queue.add('a')
    queue.add('b')
    expect(taken().key).toBe('b')
    expect(queue.take()).toBeUndefined()
    queue.done(run)
    expect(taken().key).toBe('a')
  })

  it('forgets a key that neither waits nor runs', () => {
    queue.add('a', 'acme')
    expect(queue.has('a')).toBe(true)
    drained()
    expect(queue.has('a')).toBe(false)
  })

  it('refuses to end a run twice, also after its place was given to another key', () => {
    queue.add('a')
    const run = taken()
    queue.done(run)
    queue.add('b')
    taken()
    expect(() => queue.done(run)).toThrow(expect.toSatisfy((error: unknown) => isFault(error, 'internal')))
    expect(queue.runningKeys()).toEqual(['b'])
  })

  it('keeps thousands of keys apart while it grows', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `key-${index}`)
    for (const key of keys) queue.add(key)
    expect(drained()).toEqual(keys)
  })
})

describe('priorities', () => {
  it('serves a change before a retry, and a retry before resync', () => {
    queue.add('resync', '', priority.resync)
    queue.add('retry', '', priority.retry)
    queue.add('change', '', priority.change)
    expect(drained()).toEqual(['change', 'retry', 'resync'])
  })

  it('moves a waiting key up when it is added with a higher priority', () => {
    queue.add('a', '', priority.resync)
    queue.add('b', '', priority.resync)
    queue.add('b', '', priority.change)
    expect(drained()).toEqual(['b', 'a'])
  })

  it('never moves a waiting key down', () => {
    queue.add('a', '', priority.change)
    queue.add('b', '', priority.change)
    queue.add('a', '', priority.resync)
    expect(drained()).toEqual(['a', 'b'])
  })

  it('remembers the highest priority that was asked for during a run', () => {
    queue.add('a')
    const run = taken()
    queue.add('a', '', priority.resync)
    queue.add('a', '', priority.change)
    queue.add('b', '', priority.retry)
    queue.done(run)
    expect(drained()).toEqual(['a', 'b'])
  })

  it('lets low priorities through now and then, however many changes there are', () => {
    queue.add('patient', '', priority.resync)
    queue.add('retried', '', priority.retry)
    for (let index = 0; index < 100; index++) queue.add(`change-${index}`)
    const order = drained()
    expect(order.indexOf('patient')).toBeLessThan(20)
    expect(order.indexOf('retried')).toBeLessThan(20)
  })
})

describe('fairness between tenants', () => {
  it("serves one tenant's only key next to another tenant's ten thousand", () => {
    for (let index = 0; index < 10_000; index++) queue.add(`big/${index}`, 'big')
    queue.add('small/1', 'small')
    expect(drained().indexOf('small/1')).toBe(1)
  })

  it('lets tenants take turns, whatever each has waiting', () => {
    for (const key of ['a1', 'a2', 'a3']) queue.add(key, 'a')
    for (const key of ['b1', 'b2']) queue.add(key, 'b')
    queue.add('c1', 'c')
    expect(drained()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('keeps the turn of the others when a waiting key moves up', () => {
    queue.add('a1', 'a', priority.resync)
    queue.add('b1', 'b', priority.resync)
    queue.add('c1', 'c', priority.resync)
    queue.add('b1', 'b', priority.change)
    expect(drained()).toEqual(['b1', 'a1', 'c1'])
  })
})

describe('metrics', () => {
  it('tells depth, running, delayed and the age of the key that waits longest', async () => {
    queue.add('old', '', priority.resync)
    await clock.advance(100)
    queue.add('young')
    queue.addAfter('later', 1000)
    await clock.advance(50)
    taken()
    await clock.advance(25)
    expect(queue.metrics()).toMatchObject({
      depth: 1,
      running: 1,
      delayed: 1,
      oldestAgeMs: 175,
      longestRunningMs: 25,
      queued: 2,
    })
  })

  it('counts how long keys waited and how long they ran', async () => {
    queue.add('a')
    await clock.advance(10)
    const run = taken()
    await clock.advance(300)
    queue.done(run, { afterMs: 5, priority: priority.retry })
    const { latency, work, retries } = queue.metrics()
    expect(latency).toMatchObject({ count: 1, totalMs: 10, maxMs: 10 })
    expect(latency.buckets[4]).toBe(1)
    expect(work).toMatchObject({ count: 1, totalMs: 300, maxMs: 300 })
    expect(work.buckets[9]).toBe(1)
    expect(retries).toBe(1)
  })

  it('counts from the first add when a key moves up', async () => {
    queue.add('a', '', priority.resync)
    await clock.advance(40)
    queue.add('a', '', priority.change)
    await clock.advance(2)
    taken()
    expect(queue.metrics().latency.maxMs).toBe(42)
  })
})
