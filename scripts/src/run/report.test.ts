import type { EngineStatus } from '@gantry/engines'
import { describe, expect, it } from 'vitest'
import { closingReport } from './closing-report.ts'
import { engineLines } from './engine-lines.ts'
import { wantedNodes } from './nodes.ts'
import { nothing, type Tally } from './tally.ts'
import { problems } from './verdict.ts'

const terms = { enginesRequired: false, filteredByName: false }
const green: Tally = { ...nothing, passed: 3 }
const skip = { file: 'a.test.ts', title: 'on docker', why: 'no docker' }

describe('the verdict on a run', () => {
  it('is green for tests that passed and a runner that says so too', () => {
    expect(problems([{ node: '20', tally: green, exit: 0 }], [], terms)).toEqual([])
  })

  it.each([
    ['a runner without a result', undefined, 'SIGKILL', 'the test runner ended (SIGKILL) without a result'],
    ['a failed test', { ...green, failed: 2 }, 1, '2 failed'],
    ['a run cut short', { ...green, interrupted: true }, 0, 'the run was interrupted'],
    ['a run of nothing', nothing, 0, 'no test ran'],
    ['a runner that is unhappy for a reason of its own', green, 1, 'the test runner ended with 1'],
    ['a skip without a reason', { ...green, skips: [{ ...skip, why: undefined }] }, 0, '1 skipped without a reason'],
  ])('is not green for %s', (_, tally, exit, problem) => {
    expect(problems([{ node: '22', tally, exit }], [], terms)).toEqual([`Node 22: ${problem}`])
  })

  it('counts a missing engine only where engines are required', () => {
    const runs = [{ node: '20', tally: green, exit: 0 }]
    const engines = [{ name: 'docker 20', state: 'missing: no dockerd' }]
    expect(problems(runs, engines, terms)).toEqual([])
    expect(problems(runs, engines, { ...terms, enginesRequired: true })).toEqual([
      'engine docker 20 is required, but missing: no dockerd',
    ])
  })
})

describe('the table of engines', () => {
  const one = (state: EngineStatus['state'], more: Partial<EngineStatus> = {}): EngineStatus[] => [
    { name: 'postgres', version: '18', state, ...more },
  ]
  const failed = { why: 'no memory', at: 500 }

  it.each([
    ['was there', one('running'), one('running'), 'ready'],
    ['was started for the run', one('available'), one('running'), 'started'],
    ['cannot be had', one('missing'), one('missing', { why: 'no package' }), 'missing: no package'],
    ['failed to start in the run', one('available'), one('available', { failed }), 'missing: no memory'],
    ['failed in an earlier run only', one('available'), one('available', { failed: { ...failed, at: 1 } }), 'not used'],
    ['nobody asked for', one('available'), one('available'), 'not used'],
  ])('says of an engine that %s what is so', (_, before, after, state) => {
    expect(engineLines(before, after, 100)).toEqual([{ name: 'postgres 18', state }])
  })
})

describe('the closing report', () => {
  it('has skips, failures, problems, nodes, engines, and the counts of all runs as its last line', () => {
    const failures = [{ file: 'b.test.ts', title: 'adds', message: 'expected 3 to be 2' }]
    const tally = { ...green, skipped: 1, skips: [skip], failures }
    const runs = ['20', '22'].map((node) => ({ node, tally, exit: 0 }))
    expect(closingReport(runs, [{ name: 'postgres 18', state: 'started' }], ['something is wrong'])).toBe(
      [
        'Skipped',
        '  a.test.ts: no docker (2 tests)',
        '',
        'Failed',
        '  Node 20: b.test.ts > adds',
        '    expected 3 to be 2',
        '  Node 22: b.test.ts > adds',
        '    expected 3 to be 2',
        '',
        'Not green',
        '  something is wrong',
        '',
        'Nodes',
        '  Node 20  3 passed, 0 failed, 1 skipped',
        '  Node 22  3 passed, 0 failed, 1 skipped',
        '',
        'Engines',
        '  postgres 18  started',
        '',
        '6 passed, 0 failed, 2 skipped',
      ].join('\n'),
    )
  })
})

describe('a run without a result', () => {
  it('counts as a failure in the last line', () => {
    const lines = closingReport([{ node: '20', tally: undefined, exit: 'SIGKILL' }], [], []).split('\n')
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped')
  })
})

describe('the choice of other Nodes', () => {
  it('takes major versions and pins them, and refuses what it does not know', () => {
    expect(wantedNodes(undefined)).toEqual([])
    expect(wantedNodes('22, 24')).toEqual([expect.stringMatching(/^22\./), expect.stringMatching(/^24\./)])
    expect(() => wantedNodes('18')).toThrow('18 is not one of 20, 22, 24')
  })
})
