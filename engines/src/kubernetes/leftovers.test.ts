import { describe, expect, it } from 'vitest'
import { clusterProcesses, sees } from './leftovers.ts'

const folder = '/rigs/kubernetes/private-1/instance'

describe('what belongs to a cluster', () => {
  it.each([
    [`40 1 0:3 ${folder}/in-run /run rw shared:1 - ext4 /dev/vda rw`, true],
    [`41 1 0:4 / / rw - overlay overlay rw,lowerdir=${folder}/ctrd/a,upperdir=${folder}/ctrd/b`, true],
    [`42 1 0:3 ${folder}-2/in-run /run rw - ext4 /dev/vda rw`, false],
    ['43 1 0:3 / / rw - ext4 /dev/vda rw', false],
    ['', false],
  ])('is told by what it sees: %s', (mountinfo, isOfIt) => {
    expect(sees(mountinfo, folder)).toBe(isOfIt)
  })

  it('is never what sees the same as everybody, whatever is mounted there', async () => {
    expect((await clusterProcesses('')).map(({ pid }) => pid)).not.toContain(process.pid)
  })
})
