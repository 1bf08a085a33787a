import type { EdgeFigures } from '@gantry/edge'
import { describe, expect, it } from 'vitest'
import { SlotSeries } from './slot-series.ts'

function figures(run: string, requests: number, errors = 0, client = 0): EdgeFigures {
  const counts = {
    requests,
    answers: [0, requests - errors - client, 0, 0, errors] as const,
    failures: { connect: 0, reset: 0, timeout: 0, bad_answer: 0, nobody: 0, client },
    latency: [],
    latencySumMs: 0,
    inFlight: 0,
  }
  const route = { route: 'r', workload: 'uid', ...counts, slots: [{ slot: 'a' as const, ...counts }] }
  return { run, table: 1, unrouted: 0, backends: [], routes: [route] }
}

describe('what a slot was asked and got wrong', () => {
  it('is counted from a moment on', () => {
    const series = new SlotSeries()
    series.record(figures('one', 100, 5), 1000)
    series.record(figures('one', 150, 6), 2000)
    series.record(figures('one', 200, 16), 3000)
    expect(series.since('uid', 'a', 2000)).toEqual({ requests: 50, errors: 10 })
    expect(series.since('uid', 'a', 2500)).toEqual({ requests: 50, errors: 10 })
    expect(series.since('uid', 'a', 9000)).toEqual({ requests: 0, errors: 0 })
  })

  it('is not what was counted before anybody listened', () => {
    const series = new SlotSeries()
    series.record(figures('one', 100, 5), 1000)
    expect(series.since('uid', 'a', 0)).toEqual({ requests: 0, errors: 0 })
  })

  it('goes on over a restart of the edge, which counts from nothing', () => {
    const series = new SlotSeries()
    series.record(figures('one', 100), 1000)
    series.record(figures('one', 120), 2000)
    series.record(figures('two', 7, 1), 3000)
    expect(series.since('uid', 'a', 1000)).toEqual({ requests: 27, errors: 1 })
  })

  it('is the same however long nothing was asked, and takes no room meanwhile', () => {
    const series = new SlotSeries()
    series.record(figures('one', 100), 0)
    for (let at = 1; at <= 2_000; at += 1) series.record(figures('one', 110), at)
    series.record(figures('one', 115, 2), 2_001)
    expect([0, 1, 1_000, 2_000, 2_001].map((since) => series.since('uid', 'a', since)?.requests)).toEqual([
      15, 5, 5, 5, 0,
    ])
  })

  it('leaves out clients that went away', () => {
    const series = new SlotSeries()
    series.record(figures('one', 0), 1000)
    series.record(figures('one', 10, 0, 4), 2000)
    expect(series.since('uid', 'a', 1000)).toEqual({ requests: 6, errors: 0 })
  })

  it('is unknown where nobody counts', () => {
    const series = new SlotSeries()
    series.record(figures('one', 1), 1000)
    expect(series.since('uid', 'b', 0)).toBeUndefined()
    series.keepOnly(new Set())
    expect(series.since('uid', 'a', 0)).toBeUndefined()
  })

  it('takes bounded memory, and remembers the beginning of a long step', () => {
    const series = new SlotSeries()
    for (let at = 0; at <= 100_000; at++) series.record(figures('one', at * 10), at)
    expect(series.since('uid', 'a', 0)).toEqual({ requests: 1_000_000, errors: 0 })
    expect(series.since('uid', 'a', 99_900)?.requests).toBeLessThan(1_200)
  })
})
