import { describe, expect, it } from 'vitest'
import { hash32 } from './hash32.ts'

describe('hash32', () => {
  it('never changes: processes of different versions must agree on the shard of an object', () => {
    expect(['', 'a', 'uid-1'].map(hash32)).toEqual([2872998923, 444641715, 1323438520])
  })

  it('spreads texts that differ only in their last digits', () => {
    const shards = Array.from({ length: 64 }, () => 0)
    for (let index = 0; index < 6400; index++) {
      const shard = hash32(`object-${index}`) % 64
      shards[shard] = (shards[shard] ?? 0) + 1
    }
    expect(Math.min(...shards)).toBeGreaterThan(60)
    expect(Math.max(...shards)).toBeLessThan(145)
  })
})
