import { Fault, type GantryObject } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { Feed } from './feed.ts'
import { revisionOf } from './object-facts.ts'
import type { Source } from './source.ts'

let clock: VirtualClock
let objects: MemoryObjects
let control: AbortController
let told: string[]
let troubles: Fault[]

beforeEach(() => {
  clock = new VirtualClock()
  objects = new MemoryObjects('Thing', clock)
  control = new AbortController()
  told = []
  troubles = []
})

function feedOf(source: Source): Feed {
  return new Feed({
    source,
    clock,
    random: () => 0,
    revision: revisionOf,
    onChange: ({ metadata }, { listed }) =>
      told.push(`${listed ? 'listed' : 'changed'} ${metadata.name} ${metadata.generation}`),
    onGone: ({ key }) => told.push(`gone ${key.name}`),
    onTrouble: (fault) => troubles.push(fault),
  })
}

/** Shows the objects as they were when the list began, and hands it out only when told to. */
function slowList(): { source: Source; begin: () => void; finish: () => void } {
  let old: readonly GantryObject[] | undefined
  let finish = (): void => undefined
  return {
    source: {
      async list(query, call) {
        const page = await objects.list(query, call)
        if (!old) return page
        const items = old
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return { ...page, items }
      },
      changes: (since, call) => objects.changes(since, call),
    },
    begin: () => {
      old = ['a', 'b'].flatMap((name) => objects.find(name) ?? [])
    },
    finish: () => finish(),
  }
}

describe('a feed', () => {
  it('tells what is there, then what becomes different, and stops without a word', async () => {
    objects.apply('a')
    const following = feedOf(objects).follow(control.signal)
    await clock.advance(1)
    objects.setStatus('a', { seen: true })
    objects.apply('a', { spec: { other: true } })
    objects.delete('a')
    await clock.advance(1)
    expect(told).toEqual(['listed a 1', 'changed a 2', 'gone a'])
    control.abort()
    await following
    expect([clock.pending, objects.log.followers, troubles.length]).toEqual([0, 0, 0])
  })

  it('reads lists of many pages', async () => {
    for (let index = 0; index < 1234; index++) objects.apply(`thing-${index}`)
    const feed = feedOf(objects)
    await feed.list(control.signal)
    expect(feed.seen.size).toBe(1234)
    expect(told).toHaveLength(1234)
  })

  it('is not misled by a list that is older than the changes it has seen meanwhile', async () => {
    objects.apply('a')
    objects.apply('b')
    const { source, begin, finish } = slowList()
    const feed = feedOf(source)
    const following = feed.follow(control.signal)
    await clock.advance(1)
    begin()
    const listing = feed.list(control.signal)
    await clock.advance(1)
    objects.apply('a', { spec: { other: true } })
    objects.delete('b')
    await clock.advance(1)
    finish()
    await listing
    expect(told).toEqual(['listed a 1', 'listed b 1', 'changed a 2', 'gone b'])
    expect([...feed.seen.keys()]).toEqual(['Thing/acme/a'])
    control.abort()
    await following
  })

  it('of a source whose changes fail at once is tried ever more slowly, and told about', async () => {
    let tries = 0
    const broken: Source = {
      list: (query, call) => objects.list(query, call),
      changes: () => {
        tries += 1
        throw new Fault('store_unavailable', 'no connection')
      },
    }
    const following = feedOf(broken).follow(control.signal)
    await clock.advance(60_000)
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(20)
    expect(troubles).toHaveLength(tries)
    control.abort()
    await following
    expect(clock.pending).toBe(0)
  })
})
