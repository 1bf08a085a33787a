import { isFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { Observation, Observed } from '../observed.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { untilDone, type Work } from './until-done.ts'

const ref = { tenant: 't', workload: 'web', uid: 'u', slot: 'a' } as const

function setup(passes: readonly Pass[], seen: (at: number) => Partial<Observed> = () => ({})) {
  const clock = new VirtualClock(0)
  const listeners = new Set<(seen: Observation) => void>()
  const times: number[] = []
  const observed = (): Observed => ({
    ref,
    replicas: [],
    endpoints: [],
    drift: [],
    notEnforced: [],
    at: new Date(clock.now()),
    ...seen(clock.now()),
  })
  const tools = {
    clock,
    engine: { look: async () => observed() },
    feed: {
      subscribe(listener: (seen: Observation) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  }
  const work: Work = {
    what: 'Provisioning',
    ref,
    deadlineMs: 1000,
    pass: async () => passes[times.push(clock.now()) - 1] ?? passes.at(-1) ?? done,
    progress: () => 0,
    failsOnStall: true,
  }
  const tell = (): void => {
    for (const listener of listeners) listener({ type: 'changed', instance: observed() })
  }
  return { clock, tools, work, times, tell, listeners }
}

async function outcome(clock: VirtualClock, work: Promise<void>): Promise<unknown> {
  let over: { error: unknown } | undefined
  work.then(
    () => {
      over = { error: undefined }
    },
    (error: unknown) => {
      over = { error }
    },
  )
  await clock.until(() => over !== undefined)
  return over?.error
}

const call = { signal: new AbortController().signal }

describe('a blocking call over passes', () => {
  it('comes back when the engine said, and ends with done', async () => {
    const { clock, tools, work, times, listeners } = setup([waitFor('a', 100), waitFor('b', 50), done])
    expect(await outcome(clock, untilDone(work, tools, call))).toBeUndefined()
    expect(times).toEqual([0, 100, 150])
    expect([listeners.size, clock.pending]).toEqual([0, 0])
  })

  it('comes back at once when something changed', async () => {
    const { clock, tools, work, times, tell } = setup([waitFor('a', 900), done])
    clock.after(10, tell)
    expect(await outcome(clock, untilDone(work, tools, call))).toBeUndefined()
    expect(times).toEqual([0, 10])
  })

  it('ends at its deadline with a cause of its own, and says what it waited for', async () => {
    const { clock, tools, work, listeners } = setup([waitFor('replicas to become ready', 100)])
    const error = await outcome(clock, untilDone(work, tools, call))
    expect(isFault(error, 'deadline') && error.message).toMatch(/no progress for 1 s; it was waiting for replicas/)
    expect(clock.now()).toBe(1000)
    expect([listeners.size, clock.pending]).toEqual([0, 0])
  })

  it('has its deadline moved by progress, and only by a new best', async () => {
    const { clock, tools, work } = setup([waitFor('more', 100)])
    const progress = (): number => (clock.now() >= 700 && clock.now() < 800 ? 1 : 0)
    await outcome(clock, untilDone({ ...work, progress }, tools, call))
    expect(clock.now()).toBe(1700)
  })

  it('ends with the reason of whoever aborts, and leaves nothing behind', async () => {
    const { clock, tools, work, listeners } = setup([waitFor('more', 100)])
    const leave = new AbortController()
    const reason = new Error('shutting down')
    clock.after(250, () => leave.abort(reason))
    expect(await outcome(clock, untilDone(work, tools, { signal: leave.signal }))).toBe(reason)
    expect([listeners.size, clock.pending]).toEqual([0, 0])
  })

  it('ends at its deadline also when the engine never answers', async () => {
    const { clock, tools, work } = setup([])
    const hanging = { ...work, pass: () => new Promise<Pass>(() => undefined) }
    const error = await outcome(clock, untilDone(hanging, tools, call))
    expect(isFault(error, 'deadline')).toBe(true)
  })

  it('fails with a stall that is new, and not with one it came to overcome', async () => {
    const stalled = (at: number) => ({ reason: 'init_failed', message: 'init failed', at: new Date(at) }) as const
    const { clock, tools, work } = setup([waitFor('more', 100)], (now) => ({ stalled: stalled(now < 300 ? 0 : 300) }))
    const error = await outcome(clock, untilDone(work, tools, call))
    expect(isFault(error) && error.reason).toBe('init_failed')
    expect(clock.now()).toBe(300)
  })
})
