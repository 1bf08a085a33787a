import { Fault, type ObjectKey, sleep } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failed } from '../results/from-error.ts'
import { done, type Result, waiting } from '../results/result.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { Controller } from './controller.ts'
import type { ControllerOptions } from './controller-options.ts'
import type { Reconcile } from './reconcile.ts'

const call = { signal: new AbortController().signal }
let clock: VirtualClock
let objects: MemoryObjects
let results: { readonly name: string; readonly result: Result }[]
let troubles: Fault[]
let controller: Controller | undefined

beforeEach(() => {
  clock = new VirtualClock()
  objects = new MemoryObjects('Thing', clock)
  results = []
  troubles = []
})

afterEach(async () => {
  const stopped = controller?.stop({ deadlineMs: 10 }, call)
  await clock.advance(10)
  await stopped
  controller = undefined
  expect(clock.pending).toBe(0)
  expect(objects.log.followers).toBe(0)
})

function start(reconcile: Reconcile, more: Partial<ControllerOptions> = {}): Controller {
  controller = new Controller({
    name: 'things',
    kind: 'Thing',
    source: objects,
    reconcile,
    clock,
    random: () => 0,
    onResult: ({ name }, result) => results.push({ name, result }),
    onTrouble: (fault) => troubles.push(fault),
    ...more,
  })
  controller.start()
  return controller
}

/** A reconcile that answers from a list, then `done`, and remembers when it was called. */
function scripted(answers: readonly (Result | Error)[]) {
  const calls: number[] = []
  const reconcile: Reconcile = async () => {
    const answer = answers[calls.length] ?? done()
    calls.push(clock.monotonic())
    if (answer instanceof Error) throw answer
    return answer
  }
  return { calls, reconcile }
}

describe('a controller', () => {
  it('runs every object that is there, and those that come later', async () => {
    objects.apply('first')
    const keys: ObjectKey[] = []
    start(async (key) => {
      keys.push(key)
      return done()
    })
    await clock.advance(1)
    objects.apply('second')
    await clock.advance(1)
    expect(keys.map((key) => key.name)).toEqual(['first', 'second'])
    expect(keys[0]).toEqual({ kind: 'Thing', tenant: 'acme', name: 'first' })
  })

  it('knows what it was told of, and nothing that is gone', async () => {
    objects.apply('a')
    const known = start(async () => done())
    const key = { kind: 'Thing', tenant: 'acme', name: 'a' }
    expect(known.knows(key)).toBe(false)
    await clock.advance(1)
    expect(known.knows(key)).toBe(true)
    objects.delete('a')
    await clock.advance(1)
    expect(known.knows(key)).toBe(false)
  })

  it('does not run an object because its status was written', async () => {
    const { calls, reconcile } = scripted([])
    objects.apply('a')
    start(reconcile)
    await clock.advance(1)
    objects.setStatus('a', { observedGeneration: 1 })
    await clock.advance(1)
    expect(calls).toHaveLength(1)
  })

  it('comes back to a yield ever more slowly until it is done', async () => {
    const wait = waiting('', 'pods')
    const { calls, reconcile } = scripted([wait, wait, wait])
    objects.apply('a')
    start(reconcile)
    await clock.advance(60_000)
    expect(calls).toEqual([0, 250, 750, 1750])
  })

  it('acts at once on a change, and on a delete, during a yield', async () => {
    const wait = waiting('', 'pods', { retryAfterMs: 60_000 })
    const { calls, reconcile } = scripted([wait, wait, wait])
    objects.apply('a', { finalizers: ['thing'] })
    start(reconcile)
    await clock.advance(100)
    objects.apply('a', { spec: { other: true } })
    await clock.advance(100)
    objects.delete('a')
    await clock.advance(100)
    expect(calls).toEqual([0, 100, 200])
  })

  it('survives a throw, and retries it with a growing delay', async () => {
    const bug = new TypeError('x is not a function')
    const { calls, reconcile } = scripted([bug, bug, bug])
    objects.apply('a')
    start(reconcile)
    await clock.advance(1000)
    expect(calls).toEqual([0, 5, 15, 35])
    expect(results[0]?.result).toMatchObject({ state: 'transient', fault: { kind: 'internal' } })
  })

  it('reads again at once after a conflict', async () => {
    const { calls, reconcile } = scripted([new Fault('version_conflict', 'moved')])
    objects.apply('a')
    start(reconcile)
    await clock.advance(0)
    expect(calls).toEqual([0, 0])
  })

  it('parks a permanent fault until the spec changes', async () => {
    const refusal = new Fault('field_unsupported', 'no such thing here')
    const { calls, reconcile } = scripted([refusal])
    objects.apply('a')
    const things = start(reconcile)
    await clock.advance(300_000)
    expect(calls).toEqual([0])
    expect(things.parkedKeys()).toEqual([{ kind: 'Thing', tenant: 'acme', name: 'a' }])
    objects.apply('a', { spec: { repaired: true } })
    await clock.advance(1)
    expect(calls).toHaveLength(2)
    expect(things.parkedKeys()).toEqual([])
  })

  it('comes back to what is parked at the resync, so that a missing program which appears is found', async () => {
    const { calls, reconcile } = scripted([new Fault('field_unsupported', 'no such program')])
    objects.apply('a')
    start(reconcile, { resyncMs: 100_000 })
    await clock.advance(200_000)
    expect(calls).toHaveLength(2)
    expect(calls[1]).toBeGreaterThanOrEqual(100_000)
  })

  it('brings back whatever a selector names, with its delays forgotten', async () => {
    const cut = new Fault('engine_unreachable', 'cut off', { retryAfterMs: 200_000 })
    const { calls, reconcile } = scripted([cut])
    objects.apply('a')
    const things = start(reconcile)
    await clock.advance(1000)
    expect(things.revisit(({ tenant }) => tenant === 'acme')).toBe(1)
    expect(things.revisit(({ tenant }) => tenant === 'other')).toBe(0)
    await clock.advance(0)
    expect(calls).toEqual([0, 1000])
  })

  it.each([
    ['the spec changes', () => void objects.apply('a', { spec: { other: true } })],
    ['it is brought back', () => void controller?.revisit(() => true)],
  ])('starts its backoff over when %s', async (_, change) => {
    const cut = new Fault('engine_unreachable', 'cut off')
    const { calls, reconcile } = scripted(Array.from({ length: 40 }, () => cut))
    objects.apply('a')
    start(reconcile)
    await clock.advance(700)
    const before = calls.length
    change()
    await clock.advance(20)
    expect(calls.slice(before)).toEqual([700, 705, 715])
  })

  it('is woken by what no source tells, and does not take that for progress', async () => {
    const cut = new Fault('engine_unreachable', 'cut off')
    const { calls, reconcile } = scripted(Array.from({ length: 20 }, () => cut))
    objects.apply('a')
    const things = start(reconcile)
    await clock.advance(700)
    const before = calls.length
    things.add({ kind: 'Thing', tenant: 'acme', name: 'a' })
    await clock.advance(0)
    expect(calls.slice(before)).toEqual([700])
    await clock.advance(2000)
    expect(calls.slice(before)).toEqual([700, 700 + 5 * 2 ** before])
  })

  it('looks at a key that nobody knows, and forgets it again', async () => {
    const { calls, reconcile } = scripted([])
    const things = start(reconcile)
    await clock.advance(1)
    things.add({ kind: 'Thing', tenant: 'acme', name: 'stray' })
    await clock.advance(1)
    expect(calls).toHaveLength(1)
    expect(things.known).toBe(0)
  })

  it('forgets an object that is gone after a last look', async () => {
    const { calls, reconcile } = scripted([])
    objects.apply('a')
    const things = start(reconcile)
    await clock.advance(1)
    objects.delete('a')
    await clock.advance(1)
    expect(calls).toHaveLength(2)
    expect(things.known).toBe(0)
  })

  it('goes on when the hook for results throws, and tells about it', async () => {
    const { calls, reconcile } = scripted([])
    objects.apply('a')
    objects.apply('b')
    start(reconcile, {
      workers: 1,
      onResult: () => {
        throw new Error('logger is broken')
      },
    })
    await clock.advance(1)
    expect(calls).toHaveLength(2)
    expect(troubles).toHaveLength(2)
  })
})

describe('the deadline of a run', () => {
  it('ends the signal with its own cause, and counts as a transient fault', async () => {
    let reason: unknown
    objects.apply('a')
    start(
      async (_, run) => {
        run.signal.addEventListener('abort', () => {
          reason = run.signal.reason
        })
        await sleep(clock, 3_600_000, run)
        return done()
      },
      { runDeadlineMs: 500 },
    )
    await clock.advance(500)
    expect(reason).toMatchObject({ kind: 'deadline', reason: 'deadline_exceeded' })
    expect(results[0]?.result).toMatchObject({ state: 'transient', fault: { reason: 'deadline_exceeded' } })
  })

  it('frees the worker of a run that does not stop, while its key waits until it does', async () => {
    let release = (): void => undefined
    const ran: string[] = []
    objects.apply('hangs')
    objects.apply('other')
    start(
      async ({ name }) => {
        ran.push(name)
        if (name === 'hangs' && ran.length === 1) await new Promise<void>((resolve) => (release = resolve))
        return done()
      },
      { workers: 1, runDeadlineMs: 500, overdueGraceMs: 100 },
    )
    await clock.advance(599)
    expect(ran).toEqual(['hangs'])
    objects.apply('hangs', { spec: { changed: true } })
    await clock.advance(1)
    expect(ran).toEqual(['hangs', 'other'])
    expect(troubles[0]).toMatchObject({ reason: 'stuck' })
    release()
    await clock.advance(1)
    expect(ran).toEqual(['hangs', 'other', 'hangs'])
  })
})

describe('a key that waits for too long', () => {
  it('shows as stuck, is visited slowly, and recovers', async () => {
    let ready = false
    objects.apply('a')
    start(async () => (ready ? done() : waiting('net', 'the network')), {
      policy: { stuckAfterMs: 60_000, stuckMs: 30_000 },
    })
    await clock.advance(200_000)
    const states = results.map(({ result }) => result.state)
    expect(states.filter((state) => state === 'yield').length).toBeGreaterThan(5)
    expect(results.at(-1)?.result).toMatchObject({ state: 'transient', path: 'net', fault: { reason: 'stuck' } })
    const visits = results.length
    await clock.advance(60_000)
    expect(results.length - visits).toBe(2)
    ready = true
    await clock.advance(30_000)
    expect(results.at(-1)?.result).toEqual(done())
    const settled = results.length
    await clock.advance(120_000)
    expect(results.length).toBe(settled)
  })
})

describe('stopping', () => {
  it('ends the signals of what runs, and does not count that against the keys', async () => {
    objects.apply('a')
    const things = start(async (_, run) => {
      await sleep(clock, 3_600_000, run)
      return done()
    })
    await clock.advance(1)
    expect(await things.stop({ deadlineMs: 1000 }, call)).toMatchObject({ drained: true })
    expect(results).toEqual([])
  })

  it('failed runs leave nothing behind either', async () => {
    objects.apply('a')
    const things = start(async () => failed('', new Fault('engine_unreachable', 'cut off')))
    await clock.advance(1000)
    expect(await things.stop({ deadlineMs: 1000 }, call)).toMatchObject({ drained: true, stillRunning: [] })
    expect(clock.pending).toBe(0)
  })
})
