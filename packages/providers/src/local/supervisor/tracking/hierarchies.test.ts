import { describe, expect, it } from 'vitest'
import { hierarchiesFrom } from './hierarchies.ts'

describe('the hierarchies of control groups', () => {
  it('are found on a machine with version 2 alone', () => {
    const mounts = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate'
    expect(hierarchiesFrom(mounts, '0::/user.slice/session-3.scope\n')).toEqual([
      { version: 2, mount: '/sys/fs/cgroup', controllers: [], home: '/sys/fs/cgroup/user.slice/session-3.scope' },
    ])
  })

  it('are found side by side, each with our own place in it', () => {
    const mounts = [
      '31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
      '32 30 0:28 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer',
      '33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
      '34 30 0:30 / /proc rw - proc proc rw',
    ].join('\n')
    expect(hierarchiesFrom(mounts, '3:cpu,cpuacct:/a\n2:freezer:/\n0::/b\n')).toEqual([
      {
        version: 1,
        mount: '/sys/fs/cgroup/cpu,cpuacct',
        controllers: ['cpu', 'cpuacct'],
        home: '/sys/fs/cgroup/cpu,cpuacct/a',
      },
      { version: 1, mount: '/sys/fs/cgroup/freezer', controllers: ['freezer'], home: '/sys/fs/cgroup/freezer' },
      { version: 2, mount: '/sys/fs/cgroup/unified', controllers: [], home: '/sys/fs/cgroup/unified/b' },
    ])
  })

  it('are counted from the part that a container is shown', () => {
    const mounts = '40 39 0:30 /docker/x /sys/fs/cgroup ro - cgroup2 cgroup rw'
    expect(hierarchiesFrom(mounts, '0::/docker/x/in\\040side')).toMatchObject([{ home: '/sys/fs/cgroup/in\\040side' }])
    expect(hierarchiesFrom('40 39 0:30 / /with\\040space rw - cgroup2 cgroup rw', '0::/')).toMatchObject([
      { home: '/with space' },
    ])
  })

  it('that we are not in, or that are something else, are left out', () => {
    expect(hierarchiesFrom('31 30 0:27 / /x rw - cgroup cgroup rw,memory', '2:freezer:/')).toEqual([])
    expect(hierarchiesFrom('', '')).toEqual([])
  })
})
