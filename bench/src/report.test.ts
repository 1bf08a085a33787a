import { expect, it } from 'vitest'
import type { BenchContext, Report } from './bench.ts'
import { markdownSection, terminalTable } from './report.ts'
import { contest, limited, median } from './rounds.ts'

const context: BenchContext = { signal: new AbortController().signal, rounds: 5, say: () => undefined }

it('compares the medians of alternating rounds and throws the first turn away', async () => {
  const order: string[] = []
  const row = await contest(context, {
    case: 'x',
    better: 'higher',
    ours: (round) => {
      order.push('ours')
      return round < 0 ? 1000 : 70 + round
    },
    peer: {
      name: 'peer',
      run: (round) => {
        order.push('peer')
        return round < 0 ? 1 : 100
      },
    },
    reach: 0.7,
  })
  expect(order.slice(0, 4)).toEqual(['ours', 'peer', 'ours', 'peer'])
  expect(row).toMatchObject({
    ours: 72,
    peer: 100,
    ratio: 0.72,
    reached: true,
    spread: { ours: [70, 74], peer: [100, 100] },
  })
})

it('asks for a ratio of at most the reach where lower is better', async () => {
  const take = (ours: number) => ({
    case: 'x',
    better: 'lower' as const,
    ours: () => ours,
    peer: { name: 'p', run: () => 4 },
  })
  expect(await contest(context, { ...take(6), reach: 1.5 })).toMatchObject({ ratio: 1.5, reached: true })
  expect(await contest(context, { ...take(7), reach: 1.5 })).toMatchObject({ ratio: 1.75, reached: false })
})

it('never counts a missing peer as reached', async () => {
  const row = await contest(context, {
    case: 'x',
    better: 'higher',
    ours: () => 9,
    peer: { name: 'go', missing: 'no go' },
    reach: 0.1,
  })
  expect(row).toMatchObject({ peer: null, ratio: null, missing: 'no go', reached: false })
  expect(terminalTable(reportOf(row))).toContain('go: missing, no go')
})

it('holds a row without a peer to its limit', () => {
  expect(limited('seconds', 'lower', [59, 60, 61], 60).reached).toBe(true)
  expect(limited('seconds', 'lower', [61, 61, 61], 60).reached).toBe(false)
  expect(limited('rate', 'higher', [5], 6).reached).toBe(false)
})

it('takes the middle of an even number of figures', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

it('marks a figure that falls short in both forms', () => {
  const report = reportOf(limited('memory', 'lower', [500], 400))
  expect(terminalTable(report)).toContain('SHORT')
  expect(markdownSection(report, 'About.', 'Today.')).toContain('| SHORT |')
  expect(markdownSection(report, 'About.', 'Today.')).toContain('is better. Today.')
})

it('says why nothing was measured', () => {
  const report: Report = { name: 'n', unit: 'u', better: 'lower', rows: [], missing: 'no engine', reached: false }
  expect(terminalTable(report)).toBe('n: not measured. no engine')
  expect(markdownSection(report, 'About.', 'Today.')).toContain('About. Not measured: no engine')
})

function reportOf(row: Report['rows'][number]): Report {
  return { name: 'n', unit: 'u', better: 'lower', rows: [row], reached: row.reached }
}
