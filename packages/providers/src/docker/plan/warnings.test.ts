import { describe, expect, it } from 'vitest'
import { otherWarnings } from './warnings.ts'

const platform =
  "The requested image's platform (linux/s390x) does not match the detected host platform (linux/amd64) and no specific platform was requested"
const swap =
  'Your kernel does not support swap limit capabilities or the cgroup is not mounted. Memory limited without swap.'
const forwarding = 'IPv4 forwarding is disabled. Networking will not work.'
const pids = 'Your kernel does not support pids limit capabilities or the cgroup is not mounted. PIDs limit discarded'

describe('what a daemon warns of', () => {
  it('is told of the container that it is about', () => {
    expect(otherWarnings(undefined, null)).toEqual([])
    expect(otherWarnings(undefined, ['', platform, `${pids}.`])).toEqual([platform, pids])
  })

  it('is not told again where we say it ourselves, or the engine has it among its limits', () => {
    expect(otherWarnings('image app:1 is for linux/s390x', [platform, pids])).toEqual([pids])
    expect(otherWarnings(undefined, [forwarding, swap])).toEqual([])
  })
})
