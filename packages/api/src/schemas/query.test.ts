import { describe, expect, it } from 'vitest'
import { listQuery } from './query.ts'

describe('the query of a list', () => {
  it('turns texts into values', () => {
    expect(listQuery.parse({ limit: '10', watch: 'true', since: '0', labelSelector: 'team=web' })).toEqual({
      limit: 10,
      watch: true,
      since: 0,
      labelSelector: 'team=web',
    })
    expect(listQuery.parse({})).toEqual({})
  })

  it.each([
    { limit: '0' },
    { limit: '1001' },
    { limit: '1.5' },
    { limit: '-1' },
    { limit: '' },
    { limit: ' 5' },
    { limit: '0x10' },
    { limit: ['1', '2'] },
    { watch: 'yes' },
    { since: '-1' },
    { since: '9'.repeat(17) },
    { since: '9'.repeat(16) },
    { continue: 'a b' },
    { colour: 'red' },
  ])('refuses %j', (query) => {
    expect(listQuery.safeParse(query).success).toBe(false)
  })
})
