import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { expect, it } from 'vitest'
import { keepFollowing } from './following.ts'

/** What each attempt does, one after the other; after the last the engine is used no more. */
async function followed(attempts: readonly ((heard: () => void) => Promise<void>)[]) {
  const clock = new VirtualClock(0)
  const life = new AbortController()
  const times: number[] = []
  const losses: Fault[] = []
  const over = keepFollowing({
    clock,
    life,
    follow: async (heard) => {
      const attempt = attempts[times.length]
      times.push(clock.monotonic())
      if (!attempt) return life.abort(new Error('closed'))
      await attempt(heard)
    },
    lost: (fault) => losses.push(fault),
  })
  await clock.advance(60_000)
  await over
  return { waits: times.slice(1).map((time, at) => time - (times[at] ?? 0)), losses }
}

const fail = async (): Promise<void> => {
  throw new Fault('engine_unreachable', 'no answer')
}

it('tries again after every loss, and ever less often', async () => {
  const { waits, losses } = await followed(Array(7).fill(fail))
  expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000])
  expect(losses).toHaveLength(7)
})

it('tries again soon once something was heard', async () => {
  const hear = async (heard: () => void): Promise<void> => {
    heard()
    await fail()
  }
  expect((await followed([fail, fail, hear, fail])).waits).toEqual([100, 200, 100, 200])
})

it('takes an end of the news, and whatever it does not understand, for a loss', async () => {
  const odd = new TypeError('odd')
  const { losses } = await followed([async () => undefined, () => Promise.reject(odd)])
  expect(losses).toMatchObject([
    { reason: 'engine_unreachable', message: expect.stringContaining('stopped telling') },
    { reason: 'engine_unreachable', cause: odd },
  ])
})
