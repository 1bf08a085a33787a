import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeSubnet, rangeOf } from './subnets.ts'

const taken = (...subnets: string[]) => subnets.flatMap((each) => rangeOf(each) ?? [])

describe('a free subnet', () => {
  it('is the first from where it is looked for on, round and round', () => {
    expect(freeSubnet('10.1.0.0/16', [], 0)).toBe('10.1.0.0/24')
    expect(freeSubnet('10.1.0.0/16', taken('10.1.0.0/24', '10.1.1.128/25'), 0)).toBe('10.1.2.0/24')
    expect(freeSubnet('10.1.0.0/16', taken('10.1.255.0/24'), 0.9999)).toBe('10.1.0.0/24')
  })

  it('is none inside a larger one that is taken', () => {
    expect(freeSubnet('10.0.0.0/14', taken('10.0.0.0/15', '10.2.0.0/16'), 0)).toBe('10.3.0.0/24')
  })

  it('is said to be missing where all are taken, with what to do', () => {
    expect(() => freeSubnet('10.1.0.0/23', taken('10.1.0.0/16'), 0)).toThrow(/larger range/)
  })

  it.each(['', '10.1.0.0/33', '10.1.0/16', '10.1.0.300/24', 'fd00::/8'])('%s is no range', (text) => {
    expect(rangeOf(text)).toBeUndefined()
  })

  it('overlaps nothing that is taken, whatever that is', () => {
    fc.assert(
      fc.property(
        fc.nat(255),
        fc.nat(255),
        fc.integer({ min: 17, max: 30 }),
        fc.nat(999),
        (third, fourth, bits, random) => {
          const used = taken(`10.1.${third}.${fourth}/${bits}`)
          const found = rangeOf(freeSubnet('10.1.0.0/16', used, random / 1000))
          const [other] = used
          expect(found && other && (found.to < other.from || other.to < found.from)).toBe(true)
        },
      ),
    )
  })
})
