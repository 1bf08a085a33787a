import { describe, expect, it } from 'vitest'
import { type NextStep, nextStep, type Situation } from './next-step.ts'
import { failureAfter } from './outcome.ts'
import { operation, revision } from './testing/revision.ts'

const now = 500_000
const hooks = [{ name: 'migrate', events: ['post-install'] }]
const r = (release: string): { release: string; specHash: string } => ({ release, specHash: release.replace('r', 'h') })

type Row = readonly [title: string, situation: Omit<Situation, 'now'> & { now?: number }, expected: Partial<NextStep>]

function rows(list: readonly Row[]): void {
  it.each(list)('%s', (_title, situation, expected) => {
    expect(nextStep({ now, ...situation })).toMatchObject(expected)
  })
}

describe('what is done about a release that nobody works on', () => {
  rows([
    ['one that was never there is installed', { history: [], wanted: r('r1') }, { do: 'upgrade', from: 0 }],
    ['one that is not wanted and not there is left alone', { history: [] }, { do: 'nothing' }],
    ['one that is not wanted goes', { history: [revision(1, { of: 'r1' })] }, { do: 'uninstall', from: 1 }],
    [
      'one that runs what is wanted is left alone',
      { history: [revision(1, { of: 'r1' })], wanted: r('r1') },
      { do: 'nothing' },
    ],
    [
      'another wish is an upgrade',
      { history: [revision(1, { of: 'r1' })], wanted: r('r2') },
      { do: 'upgrade', from: 1 },
    ],
    [
      'a wish that ran before is a rollback to it',
      { history: [revision(1, { of: 'r1', status: 'superseded' }), revision(2, { of: 'r2' })], wanted: r('r1') },
      { do: 'rollback', to: 1, from: 2 },
    ],
    [
      'the same content under another release of ours is an upgrade, since it was asked for anew',
      {
        history: [revision(1, { of: 'r1', status: 'superseded' }), revision(2, { of: 'r2' })],
        wanted: { release: 'r3', specHash: 'h1' },
      },
      { do: 'upgrade' },
    ],
    [
      'what failed before is no place to go back to',
      { history: [revision(1, { of: 'r1', status: 'failed' }), revision(2, { of: 'r2' })], wanted: r('r1') },
      { do: 'upgrade' },
    ],
    [
      'an upgrade by somebody else has our labels and not our content: ours comes back',
      {
        history: [
          revision(1, { of: 'r1', status: 'superseded' }),
          revision(2, { of: 'r1', description: 'Upgrade complete', content: 'theirs' }),
        ],
        wanted: r('r1'),
      },
      { do: 'rollback', to: 1, from: 2 },
    ],
    [
      'a rollback by somebody else to what is wanted is as good as ours',
      {
        history: [
          revision(1, { of: 'r1', status: 'superseded' }),
          revision(2, { of: 'r2', status: 'superseded' }),
          revision(3, { of: 'r1', description: 'Rollback to 1' }),
        ],
        wanted: r('r1'),
      },
      { do: 'nothing' },
    ],
    [
      'a rollback by somebody else to another release is undone',
      {
        history: [
          revision(1, { of: 'r1', status: 'superseded' }),
          revision(2, { of: 'r2', status: 'superseded' }),
          revision(3, { of: 'r1', description: 'Rollback to 1' }),
        ],
        wanted: r('r2'),
      },
      { do: 'rollback', to: 2, from: 3 },
    ],
    [
      'what our record knows is known, though Helm has forgotten the revision',
      {
        history: [revision(12, { of: 'r1', description: 'Rollback to 1' })],
        known: { content: 'content of r1', ...r('r1') },
        wanted: r('r1'),
      },
      { do: 'nothing' },
    ],
    [
      'one that somebody uninstalled and kept the history of is installed',
      { history: [revision(1, { of: 'r1', status: 'uninstalled' })], wanted: r('r1') },
      { do: 'upgrade' },
    ],
  ])
})

describe('what is done after a failure', () => {
  const failed = { state: 'failed', reason: 'rollout_stalled', message: 'it broke' } as const
  const failure = failureAfter(undefined, failed, 'h2', now)
  const history = [revision(1, { of: 'r1' }), revision(2, { of: 'r2', status: 'failed', description: 'it broke' })]
  rows([
    [
      'the same is not tried again at once',
      { history, failure, wanted: r('r2') },
      { do: 'wait', until: failure.againAt },
    ],
    [
      'it is tried again later',
      { history, failure, wanted: r('r2'), now: failure.againAt },
      { do: 'upgrade', from: 2 },
    ],
    ['another wish does not wait', { history, failure, wanted: r('r3') }, { do: 'upgrade' }],
    ['a removal does not wait', { history, failure }, { do: 'uninstall' }],
    [
      'a first install that failed and has hooks begins anew, so that all of them run',
      { history: [revision(1, { of: 'r1', status: 'failed', hooks })], wanted: r('r1') },
      { do: 'uninstall', why: 'the first install failed' },
    ],
    [
      'a first install that failed without hooks is upgraded',
      { history: [revision(1, { of: 'r1', status: 'failed' })], wanted: r('r1') },
      { do: 'upgrade', from: 1 },
    ],
    [
      'what is there by now is not waited for',
      { history: [revision(2, { of: 'r2' })], failure, wanted: r('r2') },
      { do: 'nothing' },
    ],
  ])
  it('tries less and less often', () => {
    const times: number[] = []
    let last = failureAfter(undefined, failed, 'h', 0)
    for (let at = 0; at < 6; at += 1) {
      times.push(last.againAt)
      last = failureAfter(last, failed, 'h', 0)
    }
    expect(times).toEqual([10_000, 30_000, 90_000, 270_000, 300_000, 300_000])
  })
  it('makes a death good at once, but not a second one', () => {
    const died = { ...failed, state: 'interrupted' } as const
    const first = failureAfter(undefined, died, 'h', 0)
    expect([first.againAt, failureAfter(first, died, 'h', 0).againAt]).toEqual([0, 30_000])
  })
})

describe('what is done while a helm of ours runs', () => {
  const running = (more: Parameters<typeof operation>[0], helm: 'alive' | 'dead' | 'unknown') => ({
    ...operation(more),
    helm,
  })
  const pending = [revision(1, { of: 'r1' }), revision(2, { of: 'r2', status: 'pending-upgrade', updated: now })]
  rows([
    [
      'one that does what is wanted is waited for',
      { history: pending, operation: running({ of: 'r2' }, 'alive'), wanted: r('r2') },
      { do: 'wait', for: 'helm upgrade' },
    ],
    [
      'one for another wish is ended',
      { history: pending, operation: running({ of: 'r2' }, 'alive'), wanted: r('r3') },
      { do: 'end' },
    ],
    [
      'one for something is ended by a removal',
      { history: pending, operation: running({ of: 'r2' }, 'alive') },
      { do: 'end' },
    ],
    [
      'an uninstall is waited for by everybody',
      { history: pending, operation: running({ verb: 'uninstall' }, 'alive'), wanted: r('r1') },
      { do: 'wait', for: 'helm uninstall' },
    ],
    [
      'one that takes too long is ended',
      { history: pending, operation: running({ of: 'r2', until: now }, 'alive'), wanted: r('r2') },
      { do: 'end' },
    ],
    [
      'one on another machine is waited for, whatever it is for',
      { history: pending, operation: running({ of: 'r2' }, 'unknown'), wanted: r('r3') },
      { do: 'wait', for: 'helm upgrade, which runs on here' },
    ],
    [
      'one on another machine is taken for dead when its time is over',
      { history: pending, operation: running({ of: 'r2', until: now }, 'unknown'), wanted: r('r2') },
      { do: 'unlock', revision: 2 },
    ],
    [
      'one that has ended is settled',
      { history: [revision(1, { of: 'r1' })], operation: running({ of: 'r2' }, 'dead'), wanted: r('r2') },
      { do: 'settle' },
    ],
  ])
})

describe('what is done about a revision that is pending', () => {
  const dead = { ...operation({ of: 'r2' }), helm: 'dead' } as const
  const first = { ...operation({ of: 'r1', revision: 1 }), helm: 'dead' } as const
  rows([
    [
      'an upgrade whose helm died is unlocked at once',
      {
        history: [revision(1, { of: 'r1' }), revision(2, { of: 'r2', status: 'pending-upgrade', updated: now })],
        operation: dead,
        wanted: r('r2'),
      },
      { do: 'unlock', revision: 2 },
    ],
    [
      'a rollback by helm itself (atomic) whose helm died too',
      {
        history: [
          revision(1, { of: 'r1' }),
          revision(2, { of: 'r2', status: 'failed' }),
          revision(3, { of: 'r1', status: 'pending-rollback', updated: now }),
        ],
        operation: dead,
        wanted: r('r2'),
      },
      { do: 'unlock', revision: 3 },
    ],
    [
      'a first install whose helm died is taken away, so that its hooks run',
      {
        history: [revision(1, { of: 'r1', status: 'pending-install', updated: now })],
        operation: first,
        wanted: r('r1'),
      },
      { do: 'uninstall', from: 1 },
    ],
    [
      'an uninstall whose helm died is settled first',
      {
        history: [revision(1, { of: 'r1', status: 'uninstalling', updated: now })],
        operation: { ...operation({ verb: 'uninstall', revision: 2 }), helm: 'dead' },
        wanted: r('r1'),
      },
      { do: 'settle' },
    ],
    [
      'an uninstall that did not end is done again, whoever began it, though something is wanted',
      { history: [revision(1, { of: 'r1', status: 'uninstalling', updated: now })], wanted: r('r1') },
      { do: 'uninstall', why: 'an uninstall was interrupted' },
    ],
    [
      'what is to go is uninstalled, pending or not',
      { history: [revision(1, { of: 'r1', status: 'pending-install', updated: now })], operation: first },
      { do: 'uninstall' },
    ],
    [
      'one that somebody else just began is waited for',
      {
        history: [revision(1, { of: 'r1' }), revision(2, { of: 'r1', status: 'pending-upgrade', updated: now })],
        wanted: r('r2'),
      },
      { do: 'wait', until: now + 600_000 },
    ],
    [
      'one that somebody else began long ago is unlocked',
      {
        history: [revision(1, { of: 'r1' }), revision(2, { status: 'pending-upgrade', updated: now - 600_000 })],
        wanted: r('r2'),
      },
      { do: 'unlock', revision: 2 },
    ],
    [
      'one that somebody else began before ours could is waited for, and not ours',
      {
        history: [revision(1, { of: 'r1', status: 'pending-rollback', updated: now })],
        operation: dead,
        wanted: r('r2'),
      },
      { do: 'wait' },
    ],
  ])
})
