import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { ContainerStats } from '../api/types/containers.ts'
import { CpuRates } from './cpu-rates.ts'
import { readingOf } from './readings.ts'
import { type Part, sumOfParts } from './usage.ts'

const stats: ContainerStats = {
  read: '2026-11-16T10:00:10.5Z',
  cpu_stats: { cpu_usage: { total_usage: 2_000_000_000 } },
  memory_stats: {},
  pids_stats: {},
  blkio_stats: { io_service_bytes_recursive: null },
}

describe('one look at the counters of a container', () => {
  it.each([
    ['version 1', { usage: 1000, stats: { total_inactive_file: 300, inactive_file: 100, cache: 500 } }, 700],
    ['version 2', { usage: 1000, stats: { inactive_file: 400, active_file: 200 } }, 600],
    ['files that are more than all', { usage: 100, stats: { inactive_file: 400 } }, 100],
    ['nothing counted', {}, undefined],
  ])('has memory without files that could go: %s', (_, memory_stats, bytes) => {
    expect(readingOf({ ...stats, memory_stats })?.memoryBytes).toBe(bytes)
  })

  it('has all networks, or none where it uses that of another', () => {
    const networks = { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } }
    expect(readingOf({ ...stats, networks })?.network).toEqual({ inBytes: 11, outBytes: 22 })
    expect(readingOf(stats)?.network).toBeUndefined()
  })

  it('is none of what does not run', () => {
    expect(readingOf({ ...stats, read: '0001-01-01T00:00:00Z' })).toBeUndefined()
  })
})

describe('the rate of cpu time', () => {
  const started = 1_000_000
  const at = (ms: number, cpuMs: number) => ({ at: started + ms, cpuNanos: cpuMs * 1_000_000 })

  it('is since the start at first, then since the last look', () => {
    const rates = new CpuRates()
    expect(rates.millis('a', at(10_000, 1_000), started)).toBe(100)
    expect(rates.millis('a', at(20_000, 11_000), started)).toBe(1_000)
    expect(rates.millis('a', at(30_000, 11_000), started)).toBe(0)
  })

  it('is over some time also for who asks twice at once', () => {
    const rates = new CpuRates()
    rates.millis('a', at(10_000, 1_000), started)
    expect(rates.millis('a', at(20_000, 11_000), started)).toBe(1_000)
    expect(rates.millis('a', at(20_010, 11_000), started)).toBe(999)
  })

  it('begins anew with another run, and is none where nobody knows since when', () => {
    const rates = new CpuRates()
    rates.millis('a', at(10_000, 9_000), started)
    expect(rates.millis('a', at(12_000, 500), started + 11_000)).toBe(500)
    expect(rates.millis('b', at(10_000, 9_000), undefined)).toBeUndefined()
    expect(rates.millis('b', at(12_000, 10_000), undefined)).toBe(500)
    rates.forget(started + 3_600_000)
    expect(rates.millis('b', at(3_700_000, 10_000), undefined)).toBeUndefined()
  })
})

describe('the sum over containers', () => {
  const clock = new VirtualClock()
  const part = (
    replica: string,
    more: Partial<Part['container']> = {},
    reading: Partial<Part['reading']> = {},
  ): Part => ({
    container: { id: `${replica}-${more.holder ? 'holder' : 'web'}`, replica, ...more },
    reading: { at: 0, cpuNanos: 0, memoryBytes: 100, network: undefined, ...reading },
    cpuMillis: 50,
  })

  it('is of all, and by replica, with limits of those that have some to keep', () => {
    const network = { inBytes: 7, outBytes: 9 }
    const limits = { cpuLimitMillis: 500, memoryLimitBytes: 1000 }
    const parts = [part('a', limits), part('a', { holder: true }, { network }), part('b', limits, { network })]
    expect(sumOfParts(parts, 42, clock)).toEqual({
      at: new Date(clock.now()),
      cpuMillis: 150,
      cpuPercent: 15,
      memoryBytes: 300,
      memoryLimitBytes: 2000,
      diskBytes: 42,
      networkInBytes: 14,
      networkOutBytes: 18,
      replicas: [
        { engineId: 'a', cpuMillis: 100, memoryBytes: 200 },
        { engineId: 'b', cpuMillis: 50, memoryBytes: 100 },
      ],
    })
  })

  it('leaves out what one of them lacks, and what has ended but for its holder', () => {
    const parts = [
      part('a', { memoryLimitBytes: 10 }),
      part('a', {}, { memoryBytes: undefined }),
      part('b', { holder: true }),
    ]
    expect(sumOfParts(parts, undefined, clock)).toEqual({
      at: new Date(clock.now()),
      cpuMillis: 100,
      replicas: [{ engineId: 'a', cpuMillis: 100 }],
    })
    expect(sumOfParts([part('b', { holder: true })], 1, clock)).toBeUndefined()
  })
})
