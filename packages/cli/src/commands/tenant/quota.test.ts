import { quotaCounters } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { counters, limitsOf, quotaTable } from './quota.ts'

describe('limits of a tenant', () => {
  it('are those that the kind has, in its order', () => {
    expect(counters).toEqual(quotaCounters)
  })

  it('are numbers, quantities, or none', () => {
    expect(limitsOf(['workloads=3', 'cpu=500m', 'memory=none'])).toEqual({ workloads: 3, cpu: '500m', memory: null })
  })

  it.each([
    ['cpus=3', /did you mean "cpu"\?/],
    ['cpu', /write KEY=LIMIT/],
    ['cpu=', /write KEY=LIMIT/],
    ['workloads=many', /a whole number/],
  ])('%s is refused', (word, said) => {
    expect(() => limitsOf([word])).toThrow(said)
  })

  it('are shown beside what is used', () => {
    expect(quotaTable({ limits: { cpu: '4' }, used: { cpu: '1500m', workloads: 2 } })).toBe(
      [
        'OF          USED    LIMIT',
        'workloads   2       unlimited',
        'replicas    -       unlimited',
        'services    -       unlimited',
        'cpu         1500m   4',
        'memory      -       unlimited',
        'disk        -       unlimited',
        'secrets     -       unlimited',
        '',
      ].join('\n'),
    )
  })
})
