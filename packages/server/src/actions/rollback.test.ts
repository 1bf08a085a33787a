import type { SpecOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { before } from './rollback.ts'

const kept = [1, 2, 3].map((number) => ({ number }) as SpecOf<'Release'>)

describe('the release that a rollback brings back when none is named', () => {
  it.each<[string, number | undefined, number | undefined, number | undefined]>([
    ['is the one before the one that runs', 3, 3, 2],
    ['is the one that runs while another is on its way, or has failed', 2, 3, 2],
    ['is the one before, where an earlier one was brought back', 2, 2, 1],
    ['is none where nothing was before', 1, 1, undefined],
    ['is none where nothing ever ran', undefined, 1, undefined],
  ])('%s', (_, release, asked, expected) => {
    expect(before({ status: release === undefined ? {} : { release } }, asked, kept)?.number).toBe(expected)
  })
})
