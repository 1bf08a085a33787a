/** What brings a key back: owners, references, lost events, expired feeds, resync. */
import { Fault, type ObjectKey } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failed } from '../results/from-error.ts'
import { done, type Result } from '../results/result.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { Controller } from './controller.ts'
import type { ControllerOptions } from './controller-options.ts'

const call = { signal: new AbortController().signal }
const secret: ObjectKey = { kind: 'Secret', tenant: 'acme', name: 'token' }
let clock: VirtualClock
let things: MemoryObjects
let secrets: MemoryObjects
let runs: { readonly name: string; readonly at: number }[]
let answer: (name: string) => Result
let troubles: Fault[]
let controller: Controller | undefined

beforeEach(() => {
  clock = new VirtualClock()
  things = new MemoryObjects('Thing', clock)
  secrets = new MemoryObjects('Secret', clock)
  runs = []
  troubles = []
  answer = () => done()
})

afterEach(async () => {
  const stopped = controller?.stop({ deadlineMs: 10 }, call)
  await clock.advance(10)
  await stopped
  controller = undefined
  expect(clock.pending).toBe(0)
})

function start(more: Partial<ControllerOptions> = {}): Controller {
  controller = new Controller({
    name: 'things',
    kind: 'Thing',
    source: things,
    watched: [{ source: secrets }],
    async reconcile({ name }) {
      runs.push({ name, at: clock.monotonic() })
      return answer(name)
    },
    clock,
    random: () => 0,
    onTrouble: (fault) => troubles.push(fault),
    ...more,
  })
  controller.start()
  return controller
}

describe('references', () => {
  const refused = failed('', new Fault('schema', 'the secret has no key url'))

  it('bring a parked key back when the object it refers to changes', async () => {
    answer = () => ({ ...refused, references: [secret] })
    secrets.apply('token')
    things.apply('a')
    start()
    await clock.advance(1000)
    answer = () => done()
    secrets.apply('token', { spec: { keys: ['url'] } })
    await clock.advance(0)
    expect(runs.map(({ at }) => at)).toEqual([0, 1000])
  })

  it('bring it back when the object appears, or goes', async () => {
    answer = () => ({ ...refused, references: [secret] })
    things.apply('a')
    start()
    await clock.advance(10)
    secrets.apply('token')
    await clock.advance(10)
    secrets.delete('token')
    await clock.advance(10)
    expect(runs.map(({ at }) => at)).toEqual([0, 10, 20])
  })

  it('bring it back for a change that came while it ran, when nobody knew yet what it refers to', async () => {
    secrets.apply('token')
    things.apply('a')
    start({
      async reconcile({ name }) {
        runs.push({ name, at: clock.monotonic() })
        if (runs.length === 1) secrets.apply('token', { spec: { keys: ['url'] } })
        // Long enough for the change to be told before the run has said what it read.
        await new Promise<void>((resolve) => clock.after(5, resolve))
        return { ...done(), references: [secret] }
      },
    })
    await clock.advance(1000)
    expect(runs.map(({ at }) => at)).toEqual([0, 5])
  })

  it('reset the backoff when the object becomes ready again, and not at its every heartbeat', async () => {
    const cut = failed('', new Fault('engine_unreachable', 'cut off', { retryAfterMs: 200_000 }))
    answer = () => ({ ...cut, references: [secret] })
    secrets.apply('token')
    things.apply('a')
    start()
    await clock.advance(1000)
    const since = new Date(0).toISOString()
    const ready = { type: 'Ready', status: 'True', reason: 'ready', message: '', since } as const
    secrets.setStatus('token', { lookedAt: 1 })
    await clock.advance(1000)
    expect(runs).toHaveLength(1)
    answer = () => done()
    secrets.setStatus('token', { lookedAt: 2, conditions: [ready] })
    await clock.advance(0)
    expect(runs.map(({ at }) => at)).toEqual([0, 2000])
    secrets.apply('token', { spec: { other: true } })
    await clock.advance(10)
    expect(runs).toHaveLength(2)
  })
})

describe('children', () => {
  it('bring back their owner when they come, change or go, and nobody else', async () => {
    const children = new MemoryObjects('Child', clock)
    const owner = things.apply('a')
    things.apply('b')
    start({ owned: [children] })
    await clock.advance(10)
    children.apply('of-a', { owners: [{ kind: 'Thing', name: 'a', uid: owner.metadata.uid }] })
    await clock.advance(10)
    children.setStatus('of-a', { ready: true })
    await clock.advance(10)
    children.apply('of-nobody')
    await clock.advance(10)
    children.delete('of-a')
    await clock.advance(10)
    const later = runs.filter(({ at }) => at > 0)
    expect(later).toEqual([10, 20, 40].map((at) => ({ name: 'a', at })))
  })
})

describe('a source', () => {
  it('that has expired is listed again, and what changed meanwhile is found', async () => {
    things.apply('kept')
    things.apply('changed')
    things.apply('removed')
    start()
    await clock.advance(10)
    things.log.silent = true
    things.apply('changed', { spec: { other: true } })
    things.apply('new')
    things.delete('removed')
    things.log.silent = false
    things.log.compact()
    await clock.advance(100)
    const later = runs.filter(({ at }) => at > 0).map(({ name }) => name)
    expect(later.sort()).toEqual(['changed', 'new', 'removed'])
    expect(troubles).toEqual([])
    things.apply('after')
    await clock.advance(1)
    expect(runs.at(-1)?.name).toBe('after')
  })

  it('that loses every event costs latency and nothing else', async () => {
    things.log.silent = true
    const controller = start({ resyncMs: 60_000 })
    await clock.advance(10)
    things.apply('a')
    await clock.advance(59_000)
    expect(runs).toEqual([])
    await clock.advance(61_000)
    expect(runs.map(({ name }) => name)).toContain('a')
    things.delete('a')
    await clock.advance(120_000)
    expect(controller.known).toBe(0)
  })

  it('that cannot be read is told as trouble and tried again, ever more slowly', async () => {
    let broken = true
    let tries = 0
    const flaky: ControllerOptions['source'] = {
      async list(query, call) {
        tries += 1
        if (broken) throw new Fault('store_unavailable', 'no connection')
        return things.list(query, call)
      },
      changes: (since, call) => things.changes(since, call),
    }
    things.apply('a')
    start({ source: flaky })
    await clock.advance(60_000)
    expect(troubles[0]).toMatchObject({ reason: 'store_unavailable' })
    expect(tries).toBeLessThan(20)
    broken = false
    await clock.advance(10_000)
    expect(runs.map(({ name }) => name)).toEqual(['a'])
  })
})

describe('resync', () => {
  it('looks at everything once in each interval, spread over it', async () => {
    for (let index = 0; index < 200; index++) things.apply(`thing-${index}`)
    start({ resyncMs: 100_000 })
    await clock.advance(200_000)
    const resynced = runs.filter(({ at }) => at >= 100_000 && at < 200_000)
    expect(new Set(resynced.map(({ name }) => name)).size).toBe(200)
    const perTenth = Array.from(
      { length: 10 },
      (_, tenth) => resynced.filter(({ at }) => Math.floor((at - 100_000) / 10_000) === tenth).length,
    )
    expect(Math.max(...perTenth)).toBeLessThan(50)
    expect(Math.min(...perTenth)).toBeGreaterThan(5)
  })
})
