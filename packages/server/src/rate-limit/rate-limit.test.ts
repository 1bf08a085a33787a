import { isFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey } from './address-key.ts'
import { Buckets } from './buckets.ts'
import { rateLimit } from './rate-limit.ts'

const rates = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 20 }) })
const arrivals = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 120 })

describe('a bucket', () => {
  it('lets through no more than the burst and what time has brought, in any window', async () => {
    await fc.assert(
      fc.asyncProperty(rates, arrivals, async (rate, gaps) => {
        const clock = new VirtualClock()
        const buckets = new Buckets({ ...rate, clock, capacity: 10 })
        const admitted: number[] = []
        for (const gap of gaps) {
          await clock.advance(gap)
          if (buckets.take('a') === 0) admitted.push(clock.monotonic())
        }
        for (const [from, start] of admitted.entries()) {
          for (const [to, end] of admitted.entries()) {
            if (to < from) continue
            const allowed = rate.burst + ((end - start) / 1000) * rate.perSecond
            expect(to - from + 1).toBeLessThanOrEqual(allowed + 1e-6)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('says exactly when the next may come, and holds to it', async () => {
    await fc.assert(
      fc.asyncProperty(rates, arrivals, async (rate, gaps) => {
        const clock = new VirtualClock()
        const buckets = new Buckets({ ...rate, clock, capacity: 10 })
        for (const gap of gaps) {
          await clock.advance(gap)
          const waitMs = buckets.take('a')
          if (waitMs === 0) continue
          await clock.advance(waitMs - 1)
          expect(buckets.take('a')).toBe(1)
          await clock.advance(1)
          expect(buckets.take('a')).toBe(0)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('lets a whole burst through after a rest, and not one more', async () => {
    const clock = new VirtualClock()
    const buckets = new Buckets({ clock, perSecond: 3, burst: 7, capacity: 10 })
    const burst = () => Array.from({ length: 8 }, () => buckets.take('a') === 0)
    const seven = [true, true, true, true, true, true, true, false]
    expect(burst()).toEqual(seven)
    await clock.advance(2334)
    expect(burst()).toEqual(seven)
  })

  it('is its own for each key', () => {
    const buckets = new Buckets({ clock: new VirtualClock(), perSecond: 1, burst: 1, capacity: 10 })
    expect([buckets.take('a'), buckets.take('b'), buckets.take('a')]).toEqual([0, 0, 1000])
  })
})

describe('the memory of buckets', () => {
  it('is bounded, however many come', () => {
    const buckets = new Buckets({ clock: new VirtualClock(), perSecond: 1, burst: 1, capacity: 100 })
    for (let n = 0; n < 10_000; n += 1) buckets.take(`key-${n}`)
    expect(buckets.size).toBe(100)
  })

  it('forgets who asked longest ago, so that one who keeps asking stays refused', () => {
    const buckets = new Buckets({ clock: new VirtualClock(), perSecond: 1, burst: 1, capacity: 10 })
    buckets.take('noisy')
    for (let n = 0; n < 1000; n += 1) {
      buckets.take(`other-${n}`)
      expect(buckets.take('noisy')).toBe(1000)
    }
  })
})

describe('the limit of rates', () => {
  const limit = () =>
    rateLimit({
      clock: new VirtualClock(),
      perAddress: { perSecond: 2, burst: 2 },
      perToken: { perSecond: 1, burst: 1 },
    })

  it('refuses an address with the time to wait', () => {
    const { admitAddress } = limit()
    admitAddress('192.0.2.1')
    admitAddress('192.0.2.1')
    const refusal = (() => {
      try {
        admitAddress('192.0.2.1')
      } catch (error) {
        return error
      }
      return undefined
    })()
    expect(isFault(refusal, 'rate_limited') && refusal.retryAfterMs).toBe(500)
    expect(() => admitAddress('192.0.2.2')).not.toThrow()
  })

  it('refuses a token apart from its address', () => {
    const { admitAddress, admitToken } = limit()
    admitToken('tok-1')
    expect(() => admitToken('tok-1')).toThrow(expect.objectContaining({ reason: 'too_many_requests' }))
    expect(() => admitToken('tok-2')).not.toThrow()
    expect(() => admitAddress('tok-1')).not.toThrow()
  })
})

describe('the key of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unix', 'unix'],
  ])('of %s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})
