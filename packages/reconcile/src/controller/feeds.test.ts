import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { type FeedListener, Feeds } from './feeds.ts'
import { revisionOf, versionOf } from './object-facts.ts'
import type { Source } from './source.ts'

let clock: VirtualClock
let objects: MemoryObjects
let feeds: Feeds
let lists: number
let told: string[]

beforeEach(() => {
  clock = new VirtualClock()
  objects = new MemoryObjects('Thing', clock)
  feeds = new Feeds({ clock, random: () => 0, onTrouble: (fault) => told.push(fault.message) })
  lists = 0
  told = []
})

const source: Source = {
  list: (query, call) => {
    lists += 1
    return objects.list(query, call)
  },
  changes: (since, call) => objects.changes(since, call),
}

const listener = (who: string, revision: FeedListener['revision']): FeedListener => ({
  revision,
  onChange: ({ key }, { listed }) => told.push(`${who}: ${key.name} ${listed ? 'listed' : 'changed'}`),
  onGone: ({ key }) => told.push(`${who}: ${key.name} gone`),
})

describe('feeds that are shared', () => {
  it('read a source once for all who join in the same turn, and tell each what is different to it', async () => {
    objects.apply('a')
    const first = feeds.join(source, listener('spec', revisionOf))
    const second = feeds.join(source, listener('all', versionOf))
    await clock.advance(1)
    expect(told.splice(0)).toEqual(['spec: a listed', 'all: a listed'])
    objects.setStatus('a', { seen: true })
    await clock.advance(1)
    expect(told.splice(0)).toEqual(['all: a changed'])
    objects.apply('a', { spec: { other: true } })
    objects.delete('a')
    await clock.advance(1)
    expect(told).toEqual(['spec: a changed', 'all: a changed', 'spec: a gone', 'all: a gone'])
    expect([lists, objects.log.followers]).toEqual([1, 1])
    await first.leave()
    await second.leave()
  })

  it('tell who comes later everything that is there, and nobody else anything twice', async () => {
    objects.apply('a')
    const early = feeds.join(source, listener('early', revisionOf))
    await clock.advance(1)
    const late = feeds.join(source, listener('late', revisionOf))
    await clock.advance(1)
    expect(told).toEqual(['early: a listed', 'late: a listed'])
    await early.leave()
    await late.leave()
  })

  it('list again for whoever asks, with one answer for all who ask meanwhile', async () => {
    const first = feeds.join(source, listener('first', revisionOf))
    const second = feeds.join(source, listener('second', versionOf))
    await clock.advance(1)
    const { signal } = new AbortController()
    await Promise.all([first.list(signal), second.list(signal)])
    expect(lists).toBe(2)
    await first.leave()
    await second.leave()
  })

  it('go on for those who stay, and end with the last one', async () => {
    const first = feeds.join(source, listener('first', revisionOf))
    const second = feeds.join(source, listener('second', revisionOf))
    await clock.advance(1)
    await first.leave()
    await first.leave()
    objects.apply('a')
    await clock.advance(1)
    expect(told).toEqual(['second: a changed'])
    await second.leave()
    expect([clock.pending, objects.log.followers]).toEqual([0, 0])
  })

  it('that nobody wants any more by the end of the turn never begin', async () => {
    await feeds.join(source, listener('nobody', revisionOf)).leave()
    await clock.advance(1)
    expect([lists, clock.pending]).toEqual([0, 0])
  })
})
