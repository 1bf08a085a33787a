import { describe, expect, it } from 'vitest'
import { runFolder } from './places.ts'
import { parseUser, userFor } from './users.ts'

describe('the user of a tenant', () => {
  it('is the same every time, and another for another tenant', () => {
    expect(userFor('shop', {})).toEqual(userFor('shop', {}))
    expect(userFor('shop', {}).uid).not.toBe(userFor('blog', {}).uid)
    expect(userFor('shop', {}).uid).toBeGreaterThanOrEqual(210_000)
  })

  it('is what is on record, and never one that another has', () => {
    expect(userFor('shop', { shop: 7 })).toEqual({ uid: 7, gid: 7 })
    const { uid } = userFor('shop', {})
    expect(userFor('shop', { blog: uid }).uid).toBe(uid + 1)
  })

  it.each([
    ['1000', { uid: 1000, gid: 1000 }],
    ['1000:50', { uid: 1000, gid: 50 }],
    ['root', undefined],
    ['0:root', undefined],
  ])('%s is read as %j', (text, expected) => {
    expect(parseUser(text)).toEqual(expected)
  })
})

describe('the folder of what processes must reach', () => {
  it('is inside the data folder for ourselves, beside it for others, and elsewhere where they could not pass', () => {
    expect(runFolder('/srv/gantry', false, () => false)).toBe('/srv/gantry/local')
    expect(runFolder('/srv/gantry', true, (folder) => folder === '/srv')).toBe('/srv/gantry-run')
    expect(runFolder('/closed/gantry', true, () => false)).toMatch(/^\/var\/lib\/gantry\/[0-9a-f]{12}$/)
  })
})
