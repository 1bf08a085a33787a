import { expect, it } from 'vitest'
import { otherWarnings } from './warnings.ts'

const platform =
  "The requested image's platform (linux/s390x) does not match the detected host platform (linux/amd64) and no specific platform was requested"
const swap =
  'Your kernel does not support swap limit capabilities or the cgroup is not mounted. Memory limited without swap.'

it('what a daemon warns of is told, and what we say ourselves is not told twice', () => {
  expect(otherWarnings(undefined, null)).toEqual([])
  expect(otherWarnings(undefined, ['', platform, swap])).toEqual([platform, swap.slice(0, -1)])
  expect(otherWarnings('image app:1 is for linux/s390x', [platform, swap])).toEqual([swap.slice(0, -1)])
})
