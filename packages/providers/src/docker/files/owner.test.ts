import { describe, expect, it } from 'vitest'
import { ownerByNumbers, ownerFromTables } from './owner.ts'

const tables = {
  passwd: [
    'root:x:0:0:root:/root:/bin/sh',
    '# remark',
    '',
    'app:x:1000:1001:App:/:/bin/sh',
    '2000:x:3000:3000::/:',
    '',
  ].join('\n'),
  group: ['root:x:0:', 'app:x:1001:', 'www:x:33:app', '44:x:55:'].join('\n'),
}

describe('the owner of a service', () => {
  it.each([
    ['', { uid: 0, gid: 0 }],
    ['0', { uid: 0, gid: 0 }],
    ['root', { uid: 0, gid: 0 }],
    ['1000:2000', { uid: 1000, gid: 2000 }],
    ['1000', undefined],
    ['app', undefined],
    ['app:33', undefined],
    ['1000:www', undefined],
  ])('is known without a look at the image where "%s" says it all', (user, owner) => {
    expect(ownerByNumbers(user)).toEqual(owner)
  })

  it.each([
    ['app', 1000, 1001, 'has the group that the line of its name says'],
    ['1000', 1000, 1001, 'has the group that the line of its number says'],
    ['4321', 4321, 0, 'has group 0 where no line has its number'],
    ['app:www', 1000, 33, 'has the group of that name'],
    ['app:33', 1000, 33, 'has the group of that number'],
    ['app:77', 1000, 77, 'has a group that no line has, by number'],
    ['1000:www', 1000, 33, 'may be a number with a group by name'],
    ['2000', 2000, 0, 'is a number, even where that is the name of another'],
    ['app:44', 1000, 44, 'has a group by number, even where that is the name of another'],
  ])('of "%s" is %i:%i: %s', (user, uid, gid) => {
    expect(ownerFromTables(user, tables)).toEqual({ uid, gid })
  })

  it.each(['nobody', 'nobody:www', 'app:nogroup'])('of "%s" is a fault where the image knows no such name', (user) => {
    expect(() => ownerFromTables(user, tables)).toThrow(expect.objectContaining({ reason: 'engine_rejected' }))
    expect(() => ownerFromTables('app', { passwd: '', group: '' })).toThrow('no user app')
  })
})
