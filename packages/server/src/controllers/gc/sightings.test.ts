import type { Observed, Slot } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { isRemovable, type Sightings, sightAgain } from './sightings.ts'

const first = new Date(Date.UTC(2026, 0, 1))
const later = new Date(Date.UTC(2026, 0, 2))

const seen = (uid: string, slot: Slot = 'a'): Observed => ({
  ref: { tenant: 'shop', workload: 'web', uid, slot },
  replicas: [],
  endpoints: [],
  drift: [],
  notEnforced: [],
  at: first,
})

const none: Sightings = new Map()

describe('what is seen without an owner', () => {
  it('is not removed the first time', () => {
    const once = sightAgain(none, [seen('u1')], first)
    expect([...once.values()].filter(isRemovable)).toEqual([])
  })

  it('is removed when it is seen again, and known since the first time', () => {
    const twice = sightAgain(sightAgain(none, [seen('u1')], first), [seen('u1'), seen('u2')], later)
    expect([...twice.values()].filter(isRemovable)).toMatchObject([{ ref: { uid: 'u1' }, since: first, times: 2 }])
  })

  it('begins anew after it had an owner, or was gone, in between', () => {
    const gap = sightAgain(sightAgain(sightAgain(none, [seen('u1')], first), [], later), [seen('u1')], later)
    expect([...gap.values()]).toMatchObject([{ times: 1, since: later }])
  })

  it('is one for each slot', () => {
    expect(sightAgain(none, [seen('u1', 'a'), seen('u1', 'b')], first).size).toBe(2)
  })
})
