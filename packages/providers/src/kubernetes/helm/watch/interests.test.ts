import { describe, expect, it } from 'vitest'
import type { Ref } from '../../../ref.ts'
import { resources } from '../../api/resources.ts'
import type { Follow } from '../../manifests/watch/followed-kinds.ts'
import { seenObject } from '../../manifests/watch/seen-object.ts'
import { Interests } from './interests.ts'

const ref = (uid: string): Ref => ({ tenant: 't', workload: uid, uid, slot: 'a' })
const follow = (key: string): Follow => ({ key, of: { resource: resources.pod }, which: {}, trim: seenObject })
const keys = (interests: Interests): string[] => [...interests.follows()].map(({ key }) => key)
const uids = (refs: Iterable<Ref>): string[] => [...refs].map(({ uid }) => uid)

describe('what releases have to be told of', () => {
  it('is followed once, and until the last of them needs it no more', () => {
    const interests = new Interests()
    expect(interests.set(ref('a'), [follow('x'), follow('y')], new Set(['n1']))).toBe(true)
    expect(interests.set(ref('b'), [follow('x')], new Set(['n1', 'n2']))).toBe(false)
    expect(keys(interests)).toEqual(['x', 'y'])
    expect(uids(interests.in('n1'))).toEqual(['a', 'b'])
    expect(uids(interests.in('n2'))).toEqual(['b'])
    expect(interests.set(ref('a'), [follow('x')], new Set(['n3']))).toBe(true)
    expect(keys(interests)).toEqual(['x'])
    expect(uids(interests.in('n1'))).toEqual(['b'])
    expect(interests.delete(ref('a'))).toBe(false)
    expect(interests.delete(ref('b'))).toBe(true)
    expect([keys(interests), uids(interests.all()), uids(interests.in('n1'))]).toEqual([[], [], []])
  })

  it('that is said again changes nothing', () => {
    const interests = new Interests()
    interests.set(ref('a'), [follow('x')], new Set(['n']))
    expect(interests.set(ref('a'), [follow('x')], new Set(['n']))).toBe(false)
    expect(interests.delete(ref('a'))).toBe(true)
    expect(keys(interests)).toEqual([])
  })
})
