import { describe, expect, it } from 'vitest'
import type { RestartRule } from './process-spec.ts'
import { noHistory, type RestartHistory, restartVerdict, usualBackoff } from './restart-verdict.ts'

const rule = (policy: RestartRule['policy'], maxPerHour = 5): RestartRule => ({ policy, maxPerHour })
const end = (code: number | 'unknown' | undefined, lastedMs = 0, now = 1_000_000_000) => ({
  ...(code !== undefined && { code }),
  lastedMs,
  now,
})

describe('the end of a process', () => {
  it.each([
    ['always', 0, 'again'],
    ['always', 1, 'again'],
    ['always', 'unknown', 'again'],
    ['on_failure', 0, 'ended'],
    ['on_failure', 1, 'again'],
    ['on_failure', 'unknown', 'again'],
    ['never', 0, 'ended'],
    ['never', 1, 'failed'],
    ['never', 'unknown', 'failed'],
    ['always', undefined, 'again'],
    ['never', undefined, 'failed'],
  ] as const)('under %s with %s means %s', (policy, code, outcome) => {
    expect(restartVerdict(end(code), rule(policy), noHistory).outcome).toBe(outcome)
  })

  it('backs off twice as long each time, up to a bound', () => {
    const waits: number[] = []
    let history: RestartHistory = noHistory
    for (let each = 0; each < 12; each += 1) {
      const verdict = restartVerdict(end(1), rule('always', 100), history)
      if (verdict.outcome !== 'again') throw new Error('it is started again')
      waits.push(verdict.at - end(1).now)
      history = verdict.history
    }
    expect(waits.slice(0, 3)).toEqual([200, 400, 800])
    expect(waits.at(-1)).toBe(usualBackoff.longestMs)
  })

  it('after a stable run begins the backoff anew, but still counts', () => {
    const history = { restarts: [999_999_999], inARow: 8 }
    expect(restartVerdict(end(1, usualBackoff.stableMs), rule('always'), history)).toEqual({
      outcome: 'again',
      at: end(1).now + usualBackoff.firstMs,
      history: { restarts: [999_999_999, end(1).now], inARow: 1 },
    })
  })

  it('more often than allowed within an hour is a failure, and forgotten after the hour', () => {
    const { now } = end(1)
    const within = { restarts: [now - 3, now - 2, now - 1], inARow: 3 }
    expect(restartVerdict(end(1), rule('always', 3), within)).toEqual({ outcome: 'failed', tooMany: true })
    const before = { restarts: [now - 3_600_001, now - 2, now - 1], inARow: 3 }
    expect(restartVerdict(end(1), rule('always', 3), before).outcome).toBe('again')
    expect(restartVerdict(end(1), rule('always', 0), noHistory)).toEqual({ outcome: 'failed', tooMany: true })
  })

  it('of what could not be started is tried without counting', () => {
    const verdict = restartVerdict(end(undefined), rule('always', 0), noHistory)
    expect(verdict).toMatchObject({ outcome: 'again', history: { restarts: [], inARow: 1 } })
  })

  it('of what could not be started is tried again within seconds, for as long as it takes', () => {
    const verdict = restartVerdict(end(undefined), rule('always'), { restarts: [], inARow: 1000 })
    expect(verdict).toMatchObject({ outcome: 'again', at: end(1).now + 5000 })
  })
})
