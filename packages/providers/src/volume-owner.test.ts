import { describe, expect, it } from 'vitest'
import type { Ref } from './ref.ts'
import { goesWith, isHeir, type OwnedVolume } from './volume-owner.ts'

const ref: Ref = { tenant: 'acme', workload: 'db', uid: 'first', slot: 'a' }
const volume: OwnedVolume = { installation: 'ours', ref, retain: true }
const passing: OwnedVolume = { ...volume, retain: false }
const next = { ...ref, uid: 'second' }
const others: readonly [string, OwnedVolume][] = [
  ['installation', { ...volume, installation: 'theirs' }],
  ['tenant', { ...volume, ref: { ...ref, tenant: 'other' } }],
  ['workload', { ...volume, ref: { ...ref, workload: 'other' } }],
]
const nobody = () => false
const everybody = () => true

describe('an heir of volumes', () => {
  it('has the name of who left them, and may be another object', () => {
    expect(isHeir(volume, { installation: 'ours', ref: next })).toBe(true)
  })

  it.each(others)('is none of another %s', (_, other) => {
    expect(isHeir(volume, other)).toBe(false)
  })

  it('is in the same slot: two slots run side by side', () => {
    expect(isHeir(volume, { installation: 'ours', ref: { ...ref, slot: 'b' } })).toBe(false)
  })
})

describe('a volume goes with an instance', () => {
  const goes = (one: OwnedVolume, to: Ref, retained: 'keep' | 'delete', isHere = nobody) =>
    goesWith(one, { installation: 'ours', ref: to }, { retained }, isHere)

  it('that has it, where it is not retained or shall go all the same', () => {
    expect([goes(passing, ref, 'keep'), goes(volume, ref, 'keep'), goes(volume, ref, 'delete')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('of the same name when all shall go, in whichever slot it was left', () => {
    expect(goes(volume, next, 'delete')).toBe(true)
    expect(goes(volume, { ...ref, slot: 'b' }, 'delete')).toBe(true)
    expect([goes(volume, next, 'keep'), goes(passing, next, 'keep')]).toEqual([false, false])
  })

  it('but not while another one that is here has it', () => {
    expect(goes(volume, next, 'delete', everybody)).toBe(false)
    expect(goes(passing, { ...ref, slot: 'b' }, 'delete', everybody)).toBe(false)
  })

  it.each(others)('and never with one of another %s', (_, other) => {
    expect([goes(other, ref, 'delete'), goes({ ...other, retain: false }, ref, 'keep')]).toEqual([false, false])
  })
})
