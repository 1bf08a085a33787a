import { hashOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { isSamePlan, movedSince, planHashOf, type Seen } from './plan-hash.ts'

const seen = (name: string, more: Partial<Seen> = {}): Seen => ({
  object: { kind: 'Workload', tenant: 'shop', name },
  generation: 3,
  desired: 'd',
  observed: 'o',
  ...more,
})

const hash = hashOf('plan')
const before = [seen('web'), seen('db'), seen('new', { generation: undefined })]
const given = planHashOf(hash, before)
const with3 = (one: Seen): Seen[] => [one, seen('db'), seen('new', { generation: undefined })]

describe('the hash of a plan with what it saw', () => {
  it.each<[string, Seen[], string[]]>([
    ['nothing', before, []],
    ['the order alone', before.toReversed(), []],
    [
      'a generation',
      with3(seen('web', { generation: 5 })),
      ['Workload "web" of tenant "shop" was at generation 3, and is at 5'],
    ],
    [
      'an object that is gone',
      with3(seen('web', { generation: undefined })),
      ['Workload "web" of tenant "shop" was at generation 3, and is gone'],
    ],
    [
      'an object that was made',
      [seen('web'), seen('db'), seen('new', { generation: 1 })],
      ['Workload "new" of tenant "shop" was made since, and is at generation 1'],
    ],
    [
      'what is wanted',
      with3(seen('web', { desired: 'e' })),
      ['what is wanted of Workload "web" of tenant "shop" is not what was planned'],
    ],
    [
      'what runs',
      with3(seen('web', { observed: 'p' })),
      ['what runs of Workload "web" of tenant "shop" is not what it was'],
    ],
    ['one more', [...before, seen('more')], ['Workload "more" of tenant "shop" was not part of the plan']],
    ['one less', before.slice(1), ['one object of the plan is no longer part of it']],
    ['two less', before.slice(2), ['2 objects of the plan are no longer part of it']],
  ])('says when %s moved', (_, now, moved) => {
    expect(movedSince(given, now)).toEqual(moved)
  })

  it('is decided by the hash alone: without the rest it holds as well, and says less', () => {
    expect(isSamePlan(given, planHashOf(hash, []))).toBe(true)
    expect(isSamePlan(hash, given)).toBe(true)
    expect(isSamePlan(given, planHashOf(hashOf('other'), before))).toBe(false)
    expect(movedSince(hash, with3(seen('web', { generation: 5 })))).toEqual([])
  })

  it('is short for a few objects, and bounded for many', () => {
    expect(given.length).toBeLessThan(64 + 1 + 3 * 14)
    expect(
      planHashOf(
        hash,
        Array.from({ length: 4000 }, (_, n) => seen(`n${n}`)),
      ).length,
    ).toBeLessThan(60_000)
  })
})
