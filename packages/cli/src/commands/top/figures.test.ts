import { describe, expect, it } from 'vitest'
import { bytesText, cpuText, historyTable, replicaTable, usageTable } from './figures.ts'

const at = '2026-01-31T12:00:00.000Z'

describe('figures of use', () => {
  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1536, '1.5Ki'],
    [10 * 1024, '10Ki'],
    [5.25 * 1024 ** 2, '5.3Mi'],
    [64 * 1024 ** 3, '64Gi'],
    [3000 * 1024 ** 4, '3000Ti'],
    [undefined, '-'],
  ])('%s bytes are %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text)
  })

  it('of a processor are thousandths of a core, and unknown is not nothing', () => {
    expect([cpuText(0), cpuText(249.6), cpuText(undefined)]).toEqual(['0m', '250m', '-'])
  })

  it('come with the greatest first, and those that are not known last', () => {
    const usage = (memoryBytes?: number) => ({
      everySeconds: 30,
      samples: memoryBytes === undefined ? [] : [{ at, memoryBytes, cpuMillis: 5 }],
    })
    const rows = [
      { name: 'quiet', ready: '0/1', usage: usage() },
      { name: 'small', ready: '1/1', usage: usage(1024) },
      { name: 'large', ready: '2/2', usage: usage(1024 ** 3) },
    ]
    expect(usageTable(rows)).toBe(
      [
        'NAME    READY   CPU   MEMORY   LIMIT   NET IN   NET OUT',
        'large   2/2     5m    1.0Gi    -       -        -',
        'small   1/1     5m    1.0Ki    -       -        -',
        'quiet   0/1     -     -        -       -        -',
        '',
      ].join('\n'),
    )
  })

  it('of one workload are those of each replica, where they are known', () => {
    const usage = {
      everySeconds: 30,
      samples: [],
      replicas: [
        { slot: 'b' as const, replica: 0, cpuMillis: 5 },
        { slot: 'a' as const, replica: 1, cpuMillis: 250, memoryBytes: 1024 },
      ],
    }
    expect(replicaTable({ name: 'web', ready: '2/2', usage })).toBe(
      ['REPLICA   CPU    MEMORY', 'a/1       250m   1.0Ki', 'b/0       5m     -', ''].join('\n'),
    )
    expect(replicaTable({ name: 'web', ready: '2/2', usage: { everySeconds: 30, samples: [] } })).toBe('')
  })

  it('of one workload are those of now, on average and at most', () => {
    const samples = [100, 300, 200].map((cpuMillis) => ({ at, cpuMillis, memoryBytes: cpuMillis * 1024 }))
    expect(historyTable({ name: 'web', ready: '1/1', usage: { everySeconds: 30, samples } })).toBe(
      [
        'USED     NOW     AVERAGE   MOST',
        'cpu      200m    200m      300m',
        'memory   200Ki   200Ki     300Ki',
        'disk     -       -         -',
        '',
      ].join('\n'),
    )
  })
})
