import { Fault, sleep } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import type { WorkItem } from './work-queue.ts'
import { Workers, type WorkersOptions } from './workers.ts'

const call = { signal: new AbortController().signal }
let clock: VirtualClock
let queue: FairQueue
let bugs: unknown[]

beforeEach(() => {
  clock = new VirtualClock()
  queue = new FairQueue(clock)
  bugs = []
})

function workers(count: number, handle: WorkersOptions['handle']): Workers {
  const made = new Workers({ queue, clock, count, handle, onBug: (error) => bugs.push(error) })
  made.start()
  return made
}

/** Each run takes 10 ms. */
async function slowly(item: WorkItem): Promise<void> {
  await sleep(clock, 10, call)
  queue.done(item)
}

describe('workers', () => {
  it('run as many keys at once as there are workers, and not one more', async () => {
    let running = 0
    let most = 0
    workers(3, async (item) => {
      most = Math.max(most, ++running)
      await sleep(clock, 10, call)
      running -= 1
      queue.done(item)
    })
    for (let index = 0; index < 10; index++) queue.add(`key-${index}`)
    await clock.advance(100)
    expect(most).toBe(3)
    expect(queue.metrics().work.count).toBe(10)
  })

  it('wake up for keys that arrive later, also delayed ones', async () => {
    const ran: string[] = []
    workers(2, (item) => {
      ran.push(item.key)
      queue.done(item)
      return undefined
    })
    await clock.advance(5)
    queue.add('a')
    queue.addAfter('b', 100)
    await clock.advance(50)
    expect(ran).toEqual(['a'])
    await clock.advance(50)
    expect(ran).toEqual(['a', 'b'])
  })

  it('let timers and sockets have their turn in the middle of many keys', async () => {
    let ran = 0
    let ranBeforeTurn = 0
    for (let index = 0; index < 5000; index++) queue.add(`key-${index}`)
    workers(1, (item) => {
      ran += 1
      queue.done(item)
      return undefined
    })
    const turn = new Promise<void>((resolve) => {
      setImmediate(() => {
        ranBeforeTurn = ran
        resolve()
      })
    })
    await turn
    expect(ranBeforeTurn).toBeLessThan(5000)
    await queue.idle(call)
    expect(ran).toBe(5000)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('bug')
      },
    ],
    ['rejects', () => Promise.reject(new Error('bug'))],
  ] as const)('go on when a handler %s, and tell about it', async (_, fail) => {
    let first = true
    workers(1, (item) => {
      queue.done(item)
      if (!first) return undefined
      first = false
      return fail()
    })
    queue.add('a')
    queue.add('b')
    await clock.advance(0)
    expect(bugs).toHaveLength(1)
    expect(queue.metrics().work.count).toBe(2)
  })
})

describe('stopping', () => {
  it('waits for what runs, drops what waits, and leaves no timer behind', async () => {
    const crew = workers(2, slowly)
    for (let index = 0; index < 5; index++) queue.add(`key-${index}`)
    await clock.advance(1)
    const stopped = crew.stop({ deadlineMs: 1000 }, call)
    await clock.advance(10)
    expect(await stopped).toEqual({ drained: true, dropped: 3, stillRunning: [] })
    expect(clock.pending).toBe(0)
  })

  it('runs what waits first, if asked to', async () => {
    const crew = workers(2, slowly)
    for (let index = 0; index < 5; index++) queue.add(`key-${index}`)
    const stopped = crew.stop({ deadlineMs: 1000, finishQueued: true }, call)
    queue.add('too late')
    await clock.advance(30)
    expect(await stopped).toEqual({ drained: true, dropped: 0, stillRunning: [] })
    expect(queue.metrics().work.count).toBe(5)
  })

  it('names what is still running when its deadline has passed', async () => {
    const crew = workers(1, () => new Promise(() => undefined))
    queue.add('hangs')
    queue.add('waits')
    await clock.advance(0)
    const stopped = crew.stop({ deadlineMs: 500, finishQueued: true }, call)
    await clock.advance(500)
    expect(await stopped).toEqual({ drained: false, dropped: 1, stillRunning: ['hangs'] })
    expect(clock.pending).toBe(0)
  })

  it("gives up with the caller's own reason", async () => {
    const crew = workers(1, () => new Promise(() => undefined))
    queue.add('hangs')
    await clock.advance(0)
    const control = new AbortController()
    const reason = new Fault('aborted', 'second interrupt')
    const stopped = crew.stop({ deadlineMs: 500 }, { signal: control.signal })
    control.abort(reason)
    await expect(stopped).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
  })
})
