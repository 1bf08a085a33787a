import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { type Channel, channel, failOnAbort } from '../channel.ts'
import type { Observation } from '../observed.ts'
import { changeFeed } from './change-feed.ts'

const gone: Observation = {
  type: 'gone',
  ref: { tenant: 't', workload: 'w', uid: 'u', slot: 'a' },
  at: new Date(0),
}

function setup() {
  const clock = new VirtualClock(0)
  const opened: Channel<Observation>[] = []
  let open = 0
  const feed = changeFeed(
    {
      observe({ signal }) {
        open += 1
        const out = channel<Observation>(() => {
          open -= 1
        })
        failOnAbort(out, signal)
        opened.push(out)
        return out
      },
    },
    clock,
  )
  return { clock, feed, opened, open: () => open }
}

describe('the look-out on an engine', () => {
  it('is one for all who wait, and closed after the last', async () => {
    const { clock, feed, opened, open } = setup()
    const seen: string[] = []
    const leaveOne = feed.subscribe(() => seen.push('one'))
    const leaveTwo = feed.subscribe(() => seen.push('two'))
    await clock.advance(1)
    expect(opened).toHaveLength(1)
    opened[0]?.push(gone)
    await clock.advance(1)
    expect(seen).toEqual(['one', 'two'])
    leaveOne()
    await clock.advance(1)
    expect(open()).toBe(1)
    leaveTwo()
    await clock.advance(1)
    expect([open(), clock.pending]).toEqual([0, 0])
  })

  it('is opened again for the next one', async () => {
    const { clock, feed, opened } = setup()
    feed.subscribe(() => undefined)()
    const leave = feed.subscribe(() => undefined)
    await clock.advance(1)
    expect(opened).toHaveLength(2)
    leave()
  })

  it('tells that it is blind when watching fails, and tries again', async () => {
    const { clock, feed, opened } = setup()
    const seen: string[] = []
    const leave = feed.subscribe(({ type }) => seen.push(type))
    await clock.advance(1)
    opened[0]?.fail(new Error('the socket broke'))
    await clock.advance(1)
    expect(seen).toEqual(['blind'])
    await clock.advance(1000)
    expect(opened).toHaveLength(2)
    leave()
    await clock.advance(1)
    expect(clock.pending).toBe(0)
  })
})
