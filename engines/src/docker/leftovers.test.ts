import { describe, expect, it } from 'vitest'
import { mountsBelow, rulesOf } from './leftovers.ts'

const footprint = { bridge: 'gdabc', chains: 'GDABC', cgroup: 'c', subnet: 200, programs: '/p', xtables: '/x' }

describe('what belongs to an instance', () => {
  it('is every mount at or below its folder, the last one made first', () => {
    const mountinfo = [
      '1 0 8:1 / / rw - ext4 /dev/vda rw',
      '2 1 0:1 / /rig/one rw - tmpfs tmpfs rw',
      '3 2 0:2 / /rig/one/merged\\040here rw - overlay overlay rw',
      '4 1 0:3 / /rig/onefold rw - tmpfs tmpfs rw',
    ].join('\n')
    expect(mountsBelow(mountinfo, '/rig/one')).toEqual(['/rig/one/merged here', '/rig/one'])
  })

  it('is every rule that speaks of its chains, bridges or addresses, and none of another Docker', () => {
    const listing = [
      '-P FORWARD ACCEPT',
      '-N DOCKER',
      '-N GDABC',
      '-N GDABC-ISOLATION-STAGE-1',
      '-N GDABCD',
      '-A FORWARD -j DOCKER',
      '-A FORWARD -j GDABC',
      '-A FORWARD -i br-1 -o br-1 -m comment --comment "by us" -j ACCEPT',
      '-A FORWARD -i br-2 -o br-2 -j ACCEPT',
      '-A POSTROUTING -s 10.200.0.0/24 ! -o gdabc -j MASQUERADE',
      '-A POSTROUTING -s 10.20.0.0/24 ! -o docker0 -j MASQUERADE',
      '-A GDABC-ISOLATION-STAGE-1 -i br-1 ! -o br-1 -j RETURN',
      '-A GDABCD -i br-2 ! -o br-2 -j RETURN',
    ].join('\n')
    expect(rulesOf(listing, footprint)).toEqual({
      rules: [
        ['-D', 'FORWARD', '-j', 'GDABC'],
        ['-D', 'FORWARD', '-i', 'br-1', '-o', 'br-1', '-m', 'comment', '--comment', 'by us', '-j', 'ACCEPT'],
        ['-D', 'POSTROUTING', '-s', '10.200.0.0/24', '!', '-o', 'gdabc', '-j', 'MASQUERADE'],
        ['-D', 'GDABC-ISOLATION-STAGE-1', '-i', 'br-1', '!', '-o', 'br-1', '-j', 'RETURN'],
      ],
      chains: ['GDABC', 'GDABC-ISOLATION-STAGE-1'],
      bridges: ['gdabc', 'br-1'],
    })
  })
})
