import { describe, expect, it } from 'vitest'
import { dockerObstacle, type Machine } from './probe.ts'

const able: Machine = {
  platform: 'linux',
  uid: 0,
  status: 'Name:\tnode\nCapEff:\t000001fffeffffff\n',
  filesystems: 'nodev\ttmpfs\nnodev\toverlay\n\text4\n',
  hasControlGroups: true,
  noPackages: undefined,
}

describe('the reason why there is no Docker', () => {
  it('is none on a machine that has what it takes', () => {
    expect(dockerObstacle(able)).toBeUndefined()
  })

  it.each<[Partial<Machine>, string]>([
    [{ platform: 'darwin' }, 'runs on Linux'],
    [{ uid: 1000 }, 'as root only'],
    [{ status: 'CapEff:\t00000000a80425fb\n' }, 'root lacks CAP_NET_ADMIN and CAP_SYS_ADMIN'],
    [{ filesystems: 'nodev\ttmpfs\n' }, 'no overlay filesystem'],
    [{ hasControlGroups: false }, 'no control groups'],
    [{ noPackages: 'there is no apt-get' }, 'there is no apt-get'],
  ])('is told for %j', (difference, reason) => {
    expect(dockerObstacle({ ...able, ...difference })).toContain(reason)
  })
})
