import { Fault } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combine } from '../results/combine.ts'
import { failed } from '../results/from-error.ts'
import { done, type Result, waiting } from '../results/result.ts'
import { asStuck } from '../results/stuck.ts'
import { freshMemory, type Memory, nextVisit, defaultRetryPolicy as policy, type Visit } from './retry-policy.ts'

const unavailable = failed('step', new Fault('engine_unreachable', 'cut off'))
const conflict = failed('step', new Fault('version_conflict', 'moved'))
const invalid = failed('step', new Fault('schema', 'no such field'))

/** The delays after each of these results, one pass after another. */
function delays(results: readonly Result[], random = () => 0): (number | Visit['next'])[] {
  let memory: Memory = freshMemory
  return results.map((result, index) => {
    const next = nextVisit(memory, result, policy, { now: index, random })
    memory = next.memory
    return next.visit.next === 'after' ? next.visit.afterMs : next.visit.next
  })
}

const times = (count: number, result: Result): Result[] => Array.from({ length: count }, () => result)

describe('yields', () => {
  it('come back fast first and then ever slower, up to ten seconds', () => {
    expect(delays(times(8, waiting('a', 'pods')))).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  })

  it.each([
    ['another reason', waiting('a', 'volumes')],
    ['another step', waiting('b', 'pods')],
    ['progress within the same wait', waiting('a', 'pods', { progress: '2 of 3' })],
  ])('come back fast again after %s', (_, next) => {
    expect(delays([...times(3, waiting('a', 'pods')), next, next])).toEqual([250, 500, 1000, 250, 500])
  })

  it('that ask for no delay do not become a busy loop', () => {
    expect(delays([waiting('a', 'nothing', { retryAfterMs: 0 })])).toEqual([5])
  })

  it('come back when they asked to', () => {
    expect(delays(times(2, waiting('a', 'the certificate', { retryAfterMs: 45_000 })))).toEqual([45_000, 45_000])
  })
})

describe('transient faults', () => {
  it('back off exponentially from 5 ms to 5 minutes', () => {
    const seen = delays(times(20, unavailable))
    expect(seen.slice(0, 5)).toEqual([5, 10, 20, 40, 80])
    expect(seen.at(-1)).toBe(300_000)
  })

  it('are jittered down to half', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 30 }), (random, count) => {
        const exact = delays(times(count, unavailable)).at(-1) as number
        const jittered = delays(times(count, unavailable), () => random).at(-1) as number
        expect(jittered).toBeGreaterThanOrEqual(exact / 2)
        expect(jittered).toBeLessThanOrEqual(exact)
      }),
    )
  })

  it('start over after a pass without one', () => {
    expect(delays([unavailable, unavailable, done(), unavailable])).toEqual([5, 10, 'rest', 5])
    expect(delays([unavailable, unavailable, waiting('a', 'pods'), unavailable])).toEqual([5, 10, 250, 5])
  })

  it('wait at least as long as the one who refused said', () => {
    const limited = failed('step', new Fault('engine_unreachable', 'slow down', { retryAfterMs: 7000 }))
    expect(delays([limited])).toEqual([7000])
  })
})

describe('conflicts', () => {
  it('are read again at once, a few times; then they back off like other faults', () => {
    expect(delays(times(8, conflict))).toEqual([0, 0, 0, 0, 0, 160, 320, 640])
  })
})

describe('permanent faults', () => {
  it('are parked', () => {
    expect(delays([invalid])).toEqual(['parked'])
  })

  it('do not keep the other steps of a tree from being visited at their own pace', () => {
    const tree = combine('', [invalid, waiting('b', 'pods', { retryAfterMs: 2000 }), unavailable])
    expect(tree.state).toBe('permanent')
    expect(delays([tree])).toEqual([5])
    expect(delays([combine('', [invalid, waiting('b', 'pods', { retryAfterMs: 2000 })])])).toEqual([2000])
  })
})

describe('a wait that is too long', () => {
  const waits = waiting('a', 'pods')

  it('becomes a visible fault that names what it waits for, and keeps the wait among its parts', () => {
    const stuck = asStuck(waits, { waitedMs: 700_000, stuckAfterMs: 600_000 })
    expect(stuck).toMatchObject({ state: 'transient', path: 'a', fault: { kind: 'deadline', reason: 'stuck' } })
    expect(stuck.parts).toEqual([waits])
    expect(stuck.state === 'transient' && stuck.fault.message).toMatch(/waiting for pods at a after 700 s/)
  })

  it('is measured by the patience of the step, where it has its own', () => {
    const patient = waiting('a', 'the machines', { stuckAfterMs: 1_800_000 })
    expect(asStuck(patient, { waitedMs: 700_000, stuckAfterMs: 600_000 })).toBe(patient)
    expect(asStuck(patient, { waitedMs: 1_800_000, stuckAfterMs: 600_000 }).state).toBe('transient')
  })

  it('is left alone before its time, and so is everything that does not wait', () => {
    expect(asStuck(waits, { waitedMs: 599_999, stuckAfterMs: 600_000 })).toBe(waits)
    expect(asStuck(unavailable, { waitedMs: 700_000, stuckAfterMs: 600_000 })).toBe(unavailable)
  })

  it('is looked at slowly, and still counts as one and the same wait', () => {
    const stuck = asStuck(waits, { waitedMs: 700_000, stuckAfterMs: 600_000 })
    const { memory, visit } = nextVisit({ ...freshMemory, waitingSince: 3 }, stuck, policy, { now: 9, random: () => 0 })
    expect(visit).toEqual({ next: 'after', afterMs: policy.stuckMs })
    expect(memory.waitingSince).toBe(3)
  })
})
