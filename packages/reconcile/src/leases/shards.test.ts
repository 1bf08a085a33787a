import type { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { breaking, type Mishap } from '../testing/breaking.ts'
import { MemoryLeases } from '../testing/memory-leases.ts'
import { PausableClock } from '../testing/pausable-clock.ts'
import { quotaOf, Shards, type ShardsOptions, shardCount, shardOf } from './shards.ts'

const call = { signal: new AbortController().signal }
let clock: VirtualClock
let leases: MemoryLeases
let started: Shards[]
let troubles: Fault[]
/** While it holds, those who were given `cuttable` get no answer from the store. */
let cut: boolean
const cuttable = () => breaking(leases, (): Mishap | undefined => (cut ? 'hangs' : undefined))

beforeEach(() => {
  clock = new VirtualClock()
  leases = new MemoryLeases(clock)
  started = []
  troubles = []
  cut = false
})

afterEach(async () => {
  cut = false
  await Promise.all(started.map((shards) => shards.stop(call)))
  expect(clock.pending).toBe(0)
})

function join(holder: string, more: Partial<ShardsOptions> = {}): Shards {
  const shards = new Shards({ leases, holder, clock, onTrouble: (fault) => troubles.push(fault), ...more })
  shards.start()
  started.push(shards)
  return shards
}

const counts = () => started.map((shards) => shards.heldShards().length)

/** No shard is held by two of them. */
function expectApart(): void {
  const all = started.flatMap((shards) => shards.heldShards())
  expect(new Set(all).size).toBe(all.length)
}

describe('shards', () => {
  it('are all held by one process that is alone', async () => {
    const alone = join('a')
    await clock.advance(1)
    expect(alone.heldShards()).toHaveLength(shardCount)
    expect(alone.held('any uid')).toMatchObject({ fence: expect.any(BigInt) })
  })

  it('are told of to whoever works on them, also when a slow store lets only some of them be had in a round', async () => {
    let left = 10
    const slow = breaking(leases, (): Mishap | undefined => {
      left -= 1
      return left < 0 ? 'hangs' : undefined
    })
    const shards = join('a', { leases: slow })
    const told = new Set<number>()
    const uids = Array.from({ length: 2000 }, (_, at) => `uid-${at}`)
    shards.onGained((gained) => {
      for (const uid of uids) if (gained(uid)) told.add(shardOf(uid))
    })
    await clock.advance(6000)
    expect(shards.heldShards().length).toBeGreaterThan(0)
    expect([...told].toSorted()).toEqual(shards.heldShards().toSorted())
    left = Number.POSITIVE_INFINITY
    await clock.advance(10_000)
    expect(shards.heldShards()).toHaveLength(shardCount)
    expect(told.size).toBe(shardCount)
  })

  it('are shared fairly when others join, and again when they leave', async () => {
    join('a')
    await clock.advance(1)
    join('b')
    join('c')
    for (let second = 0; second < 40; second++) {
      await clock.advance(1000)
      expectApart()
    }
    expect(counts().sort()).toEqual([21, 21, 22])
    const [first] = started.splice(0, 1)
    await first?.stop(call)
    for (let second = 0; second < 40; second++) {
      await clock.advance(1000)
      expectApart()
    }
    expect(counts()).toEqual([32, 32])
  })

  it('are taken over when a process dies without a word', async () => {
    join('a', { leases: cuttable() })
    join('b')
    await clock.advance(30_000)
    expect(counts()).toEqual([32, 32])
    cut = true
    await clock.advance(60_000)
    expect(counts()).toEqual([0, shardCount])
  })

  it('tell who became responsible for what', async () => {
    const gained: number[] = []
    const shards = new Shards({ leases, holder: 'a', clock })
    started.push(shards)
    const uids = Array.from({ length: 500 }, (_, index) => `uid-${index}`)
    const forget = shards.onGained((owns) => gained.push(uids.filter(owns).length))
    shards.start()
    await clock.advance(1)
    expect(gained).toEqual([500])
    forget()
  })

  it('change hands with a higher fence', async () => {
    const first = join('a')
    await clock.advance(1)
    const before = first.held('x')?.fence ?? 0n
    await first.stop(call)
    started = []
    const second = join('b')
    await clock.advance(1)
    expect(second.held('x')?.fence).toBeGreaterThan(before)
  })

  it('are given back at once when a process stops, and its work is ended', async () => {
    const first = join('a')
    await clock.advance(1)
    const held = first.held('x')
    await first.stop(call)
    expect(held?.signal.reason).toMatchObject({ reason: 'lease_lost' })
    expect(first.held('x')).toBeUndefined()
    expect(leases.size).toBe(0)
  })
})

describe('a process that cannot renew', () => {
  it('has ended its work before anybody else can begin', async () => {
    const first = join('a', { leases: cuttable() })
    await clock.advance(1)
    const held = first.held('x')
    cut = true
    let workedUntil = 0
    held?.signal.addEventListener('abort', () => {
      workedUntil = clock.monotonic()
    })
    let takenAt = 0
    const second = join('b')
    second.onGained((owns) => {
      if (owns('x')) takenAt = clock.monotonic()
    })
    await clock.advance(60_000)
    expect(second.held('x')).toBeDefined()
    expect(workedUntil).toBeGreaterThan(0)
    expect(takenAt - workedUntil).toBeGreaterThanOrEqual(3000)
    expect(troubles.length).toBeGreaterThan(0)
  })

  it('can stop all the same', async () => {
    const first = join('a', { leases: cuttable() })
    await clock.advance(1)
    started = []
    cut = true
    const stopped = first.stop(call)
    await clock.advance(5000)
    await stopped
    expect(troubles).toMatchObject([{ reason: 'deadline_exceeded' }])
    await clock.advance(15_000)
    expect(leases.size).toBe(0)
  })

  it('because it was paused beyond the TTL is not working when it wakes up', async () => {
    const own = new PausableClock(clock)
    const first = join('a', { clock: own })
    await clock.advance(1)
    const held = first.held('x')
    own.pause()
    const second = join('b')
    await clock.advance(60_000)
    expect(second.held('x')).toBeDefined()
    // Its timers have not fired yet, and still it is told that it holds nothing.
    expect(first.held('x')).toBeUndefined()
    expect(held?.signal.aborted).toBe(true)
    own.resume()
    for (let second = 0; second < 60; second++) {
      await clock.advance(1000)
      expectApart()
    }
    expect(counts()).toEqual([32, 32])
  })
})

describe('the shard of an object', () => {
  it('is the same everywhere, and evenly spread', () => {
    const perShard = Array.from({ length: shardCount }, () => 0)
    for (let index = 0; index < 6400; index++) {
      const shard = shardOf(`uid-${index}`)
      perShard[shard] = (perShard[shard] ?? 0) + 1
    }
    expect(Math.min(...perShard)).toBeGreaterThan(60)
    expect(Math.max(...perShard)).toBeLessThan(145)
  })

  it.each([1, 2, 3, 5, 7, 64])('is somebody among %i members: the shares add up', (members) => {
    const shares = Array.from({ length: members }, (_, index) => quotaOf({ index, members }))
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(shardCount)
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
  })
})
