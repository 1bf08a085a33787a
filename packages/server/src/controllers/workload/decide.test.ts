import { describe, expect, it } from 'vitest'
import { release, rollout, workload } from '../testing/samples.ts'
import { askedOf, type Before, planRollout, type RolloutPlan, runningRelease, type Wish } from './decide.ts'

const wish = (more: Partial<Wish> = {}): Wish => ({ hash: 'h1', provider: 'here', type: 'deployment', ...more })
const content = { services: workload().spec.services }
const other = { services: [{ name: 'changed' }] }

const before = (more: Partial<Before> = {}): Before => ({
  releases: [release(1, 'h1')],
  newest: rollout({ number: 1, release: 1 }, { phase: 'succeeded' }),
  count: 1,
  ...more,
})

describe('what was asked for', () => {
  it.each<[string, Partial<Wish>]>([
    ['content', { hash: 'h2' }],
    ['provider', { provider: 'there' }],
    ['type', { type: 'stateful_set' }],
    ['restart stamp', { restartStamp: 'now' }],
  ])('is something else with another %s', (_, more) => {
    expect(askedOf(wish(more))).not.toBe(askedOf(wish()))
    expect(askedOf(wish(more))).toBe(askedOf(wish(more)))
  })

  it('is the same with a stamp that is not there and one that is undefined', () => {
    expect(askedOf(wish({ restartStamp: undefined }))).toBe(askedOf(wish()))
  })
})

describe('the rollout that a changed wish makes', () => {
  const rows: [string, Wish, { services: unknown }, Before, RolloutPlan][] = [
    [
      'the first',
      wish(),
      content,
      { releases: [], newest: undefined, count: 0 },
      { number: 1, trigger: 'create', release: { number: 1, isNew: true } },
    ],
    [
      'other content',
      wish({ hash: 'h2' }),
      other,
      before(),
      { number: 2, trigger: 'deploy', release: { number: 2, isNew: true }, from: 1 },
    ],
    [
      'another version of a secret',
      wish({ hash: 'h2' }),
      content,
      before(),
      { number: 2, trigger: 'secret', release: { number: 2, isNew: true }, from: 1 },
    ],
    [
      'content of an older release that is kept',
      wish(),
      content,
      before({
        releases: [release(1, 'h1'), release(2, 'h2')],
        newest: rollout({ number: 2, release: 2, from: 1 }, { phase: 'succeeded' }),
        count: 2,
      }),
      { number: 3, trigger: 'rollback', release: { number: 1, isNew: false }, from: 2 },
    ],
    [
      'content of a newer release that is kept, after a rollback',
      wish({ hash: 'h2' }),
      content,
      before({
        releases: [release(2, 'h2'), release(1, 'h1')],
        newest: rollout({ number: 3, release: 1, from: 2 }, { phase: 'succeeded' }),
        count: 2,
      }),
      { number: 4, trigger: 'secret', release: { number: 2, isNew: false }, from: 1 },
    ],
    [
      'the old content again, after the new one failed by itself',
      wish(),
      content,
      before({
        releases: [release(1, 'h1'), release(2, 'h2')],
        newest: rollout({ number: 2, release: 2, from: 1 }, { phase: 'rolled_back' }),
        count: 2,
      }),
      { number: 3, trigger: 'rollback', release: { number: 1, isNew: false }, from: 1 },
    ],
    [
      'a newer one while one is under way: what was trusted before both is gone back to',
      wish({ hash: 'h3' }),
      other,
      before({
        releases: [release(1, 'h1'), release(2, 'h2')],
        newest: rollout({ number: 2, release: 2, from: 1 }, { phase: 'progressing' }),
        count: 2,
      }),
      { number: 3, trigger: 'deploy', release: { number: 3, isNew: true }, from: 1 },
    ],
    [
      'another after the first failed: there is nothing to go back to',
      wish({ hash: 'h2' }),
      other,
      before({ newest: rollout({ number: 1, release: 1 }, { phase: 'failed' }) }),
      { number: 2, trigger: 'deploy', release: { number: 2, isNew: true } },
    ],
    [
      'a restart',
      wish({ restartStamp: 'now' }),
      content,
      before(),
      { number: 2, trigger: 'restart', release: { number: 1, isNew: false }, from: 1 },
    ],
    [
      'another provider',
      wish({ provider: 'there' }),
      content,
      before(),
      { number: 2, trigger: 'move', release: { number: 1, isNew: false }, from: 1 },
    ],
    [
      'numbers of releases that were forgotten are not given again',
      wish({ hash: 'h9' }),
      other,
      before({ count: 7 }),
      { number: 2, trigger: 'deploy', release: { number: 8, isNew: true }, from: 1 },
    ],
    [
      'nor is one given twice if the count was lost',
      wish({ hash: 'h9' }),
      other,
      before({ releases: [release(4, 'h4'), release(1, 'h1')], count: 0 }),
      { number: 2, trigger: 'deploy', release: { number: 5, isNew: true }, from: 1 },
    ],
  ]
  it.each(rows)('%s', (_, wanted, made, known, plan) => {
    expect(planRollout(wanted, made, known)).toEqual(plan)
  })
})

describe('the release that is trusted', () => {
  it.each([
    ['succeeded', 2],
    ['progressing', 1],
    ['rolled_back', 1],
    ['aborted', 1],
    ['failed', 1],
    ['superseded', 1],
  ] as const)('after a rollout that is %s is v%i', (phase, number) => {
    expect(runningRelease(rollout({ release: 2, from: 1 }, { phase }))).toBe(number)
  })
})
