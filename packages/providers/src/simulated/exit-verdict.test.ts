import { describe, expect, it } from 'vitest'
import { type Exit, exitVerdict } from './exit-verdict.ts'

const exit = (code: number, more: Partial<Exit> = {}): Exit => ({
  name: 'web',
  role: 'main',
  code,
  crashes: [],
  now: 10_000_000,
  ...more,
})

describe('the end of a process', () => {
  it.each([
    ['an init that exits 0 is through', exit(0, { role: 'init' }), 'always', 'completed'],
    ['an init that fails is not tried again', exit(3, { role: 'init' }), 'always', 'failed'],
    ['always means always', exit(0), 'always', 'again'],
    ['a failure is tried again on failure', exit(1), 'on_failure', 'again'],
    ['success is not', exit(0), 'on_failure', 'completed'],
    ['never means never', exit(1), 'never', 'failed'],
    ['and success is an end', exit(0), 'never', 'completed'],
  ] as const)('%s', (_what, how, policy, outcome) => {
    expect(exitVerdict(how, { policy, maxPerHour: 20 }).outcome).toBe(outcome)
  })

  it('comes back later after each crash, up to ten seconds', () => {
    const after = (crashes: number) =>
      exitVerdict(exit(1, { crashes: Array(crashes).fill(10_000_000) }), { policy: 'always', maxPerHour: 100 })
    expect([0, 1, 2, 30].map((count) => after(count))).toMatchObject([
      { afterMs: 100 },
      { afterMs: 200 },
      { afterMs: 400 },
      { afterMs: 10_000 },
    ])
  })

  it('is given up after too many within an hour, and those before that hour do not count', () => {
    const restart = { policy: 'always', maxPerHour: 2 } as const
    const recent = [9_000_000, 9_500_000]
    expect(exitVerdict(exit(1, { crashes: recent }), restart)).toMatchObject({
      outcome: 'failed',
      reason: 'rollout_stalled',
      message: expect.stringContaining('2 times within an hour'),
    })
    expect(exitVerdict(exit(1, { crashes: [1, 2, 3, 9_500_000] }), restart).outcome).toBe('again')
  })
})
