import { systemClock } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Counter } from '../figures/counter.ts'
import { usualLimits } from '../proxy/limits.ts'
import { Backend } from '../upstream/backend.ts'
import { choose, type LiveSlot } from './choice.ts'

const backend = (id: string, leaving = false): Backend =>
  new Backend({ id, dial: { host: '127.0.0.1', port: 1 }, leaving }, usualLimits, systemClock)

const slot = (name: 'a' | 'b', weight: number, backends: readonly Backend[]): LiveSlot => ({
  slot: name,
  weight,
  backends,
  counts: new Counter(),
  owed: 0,
  turn: 0,
})

const chosen = (slots: readonly LiveSlot[], times: number): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (let turn = 0; turn < times; turn++) {
    const id = choose(slots, [], 0)?.backend.id ?? 'nobody'
    counts[id] = (counts[id] ?? 0) + 1
  }
  return counts
}

describe('who gets a request', () => {
  it('is decided by weight, exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (percent) => {
        const counts = chosen([slot('a', percent, [backend('a')]), slot('b', 100 - percent, [backend('b')])], 100)
        expect([counts.a ?? 0, counts.b ?? 0]).toEqual([percent, 100 - percent])
      }),
    )
  })

  it('is the other slot where one has nobody, but never one that is to get nothing', () => {
    expect(chosen([slot('a', 90, []), slot('b', 10, [backend('b')])], 10)).toEqual({ b: 10 })
    expect(chosen([slot('a', 100, []), slot('b', 0, [backend('b')])], 1)).toEqual({ nobody: 1 })
    expect(chosen([slot('a', 100, [backend('a', true)])], 1)).toEqual({ nobody: 1 })
  })

  it('takes turns among equals, and goes to who has least to do', () => {
    const [one, two, three] = ['one', 'two', 'three'].map((id) => backend(id))
    if (!one || !two || !three) throw new Error('there are three')
    const slots = [slot('a', 100, [one, two, three])]
    expect(chosen(slots, 9)).toEqual({ one: 3, two: 3, three: 3 })
    one.counts.began()
    three.counts.began()
    expect(chosen(slots, 5)).toEqual({ two: 5 })
  })

  it('is not who was tried already, nor who did not answer lately, unless there is nobody else', () => {
    const [one, two] = [backend('one'), backend('two')]
    const slots = [slot('a', 100, [one, two])]
    one.ejection.failed(0)
    expect(choose(slots, [], 0)?.backend.id).toBe('two')
    expect(choose(slots, [two], 0)?.backend.id).toBe('one')
    expect(choose(slots, [one, two], 0)).toBeUndefined()
    expect(choose(slots, [two], 1000)?.backend.id).toBe('one')
  })
})
