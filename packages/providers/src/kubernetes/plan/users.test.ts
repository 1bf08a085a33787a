import { describe, expect, it } from 'vitest'
import { contentParts } from './contents.ts'
import { desiredOf, type ServiceInput, web } from './testing/desired.ts'
import { filesGroup, userIds } from './users.ts'

const secrets = [{ name: 's', key: 'k', file: '/run/k' }]
const volumes = [{ name: 'v', path: '/v', type: 'persistent' as const }]
const open = [{ name: 'c', path: '/c', content: 'c' }]
const closed = [{ name: 'c', path: '/c', content: 'c', mode: '0440' }]
const side: ServiceInput = { ...web, name: 's', role: 'sidecar' }

function group(...services: readonly ServiceInput[]): number | undefined {
  const desired = desiredOf({ services: [...services] })
  return filesGroup(desired, contentParts(desired, 'x'))
}

describe('as whom a service runs', () => {
  it.each([
    ['1000', { uid: 1000 }],
    ['1000:1001', { uid: 1000, gid: 1001 }],
    ['0:0', { uid: 0, gid: 0 }],
    ['nobody', undefined],
    ['1000:staff', undefined],
    ['4294967294', undefined],
  ])('%s', (user, ids) => {
    expect(userIds(user)).toEqual(ids)
  })
})

describe('the group of files', () => {
  it.each<[string, readonly ServiceInput[], number | undefined]>([
    ['is none where everybody may read everything', [{ ...web, user: '1000:1001', configFiles: open }], undefined],
    ['is none without files', [{ ...web, user: '1000' }], undefined],
    ['is that of the service', [{ ...web, user: '1000:1001', secrets }], 1001],
    ['is its number where it has none', [{ ...web, user: '1000', secrets }], 1000],
    [
      'is main’s before others’',
      [
        { ...side, user: '7:7', secrets },
        { ...web, user: '8:8' },
      ],
      8,
    ],
    ['is that of whoever has one', [web, { ...side, user: '7:7', secrets }], 7],
    ['is some, where only the image knows who it runs as', [{ ...web, secrets }], 65_532],
    ['is some for config that not everybody may read', [{ ...web, configFiles: closed }], 65_532],
    ['is for volumes of those who are not root', [{ ...web, user: '999:999', volumes }], 999],
    ['is none for volumes of root', [{ ...web, user: '0:0', volumes }], undefined],
    ['leaves volumes of an image’s own user alone', [{ ...web, volumes }], undefined],
  ])('%s', (_, services, expected) => {
    expect(group(...services)).toBe(expected)
  })
})
