import { describe, expect, it } from 'vitest'
import { instance, release, rollout, workload } from '../testing/samples.ts'
import { forgettable, type History, keptReleases, keptRollouts, mayForget } from './forgettable.ts'

const numbers = (upTo: number): number[] => Array.from({ length: upTo }, (_, at) => at + 1)

function history(more: Partial<History> = {}): History {
  return { workload: workload(), releases: [], rollouts: [], instances: [], ...more }
}

function forgotten(known: History): { releases: number[]; rollouts: number[] } {
  const { releases, rollouts } = forgettable(known)
  return { releases: releases.map(({ spec }) => spec.number), rollouts: rollouts.map(({ spec }) => spec.number) }
}

describe('the history of a workload', () => {
  const releases = numbers(keptReleases + 3).map((number) => release(number, `h${number}`))

  it('keeps the newest releases', () => {
    expect(forgotten(history({ releases })).releases).toEqual([1, 2, 3])
  })

  it('keeps what runs, however old it is', () => {
    expect(forgotten(history({ releases, instances: [instance('a', {}, { release: 2 })] })).releases).toEqual([1, 3])
    const running = workload({}, { status: { release: 1 } })
    expect(forgotten(history({ releases, workload: running })).releases).toEqual([2, 3])
  })

  it('keeps what a rollout under way brings about or would go back to', () => {
    const rollouts = [rollout({ number: 9, release: 3, from: 1 }, { phase: 'progressing' })]
    expect(forgotten(history({ releases, rollouts })).releases).toEqual([2])
  })

  it('keeps what a failed rollout still tries to bring about', () => {
    const rollouts = [rollout({ number: 9, release: 3 }, { phase: 'failed' })]
    expect(forgotten(history({ releases, rollouts })).releases).toEqual([1, 2])
  })

  it('keeps the newest rollouts, and those under way, however old', () => {
    const rollouts = numbers(keptRollouts + 3).map((number) =>
      rollout({ number }, { phase: number === 2 ? 'progressing' : 'succeeded' }),
    )
    expect(forgotten(history({ rollouts })).rollouts).toEqual([1, 3])
  })

  it.each([
    [0, 0, false],
    [keptReleases, keptRollouts, false],
    [keptReleases + 1, 1, true],
    [1, keptRollouts + 1, true],
  ])('of %i releases and %i rollouts may be worth a look: %s', (made, rolled, worth) => {
    expect(mayForget(workload({}, { status: { releases: made } }), rolled)).toBe(worth)
  })
})
