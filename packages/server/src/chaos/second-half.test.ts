import { describe, expect, it } from 'vitest'
import { blocks, failures } from './testing/seeds.ts'

describe('what was asked for comes true after crashes, hangs and partitions, and nothing lies meanwhile', () => {
  for (const seeds of blocks(501, 500)) {
    it(`with the seeds from ${seeds[0]} to ${seeds.at(-1)}`, { timeout: 600_000 }, async () => {
      expect(await failures(seeds)).toEqual([])
    })
  }
})
