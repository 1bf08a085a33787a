import { describe, expect, it } from 'vitest'
import { isToRestart, restartPolicy } from './restart.ts'

const always = { policy: 'always', maxPerHour: 20 } as const

describe('who starts a service again', () => {
  it.each([
    ['the daemon, unless somebody stopped it', always, 'main', 0, 'unless-stopped'],
    ['the daemon, after failures', { ...always, policy: 'on_failure' }, 'sidecar', 0, 'on-failure'],
    ['nobody', { ...always, policy: 'never' }, 'main', 0, 'no'],
    ['nobody where it is an init', always, 'init', 0, 'no'],
    ['the daemon, while two more are allowed', always, 'main', 18, 'unless-stopped'],
    ['we, when it is the last that is allowed', always, 'main', 19, 'no'],
    ['we, where only one is', { ...always, maxPerHour: 1 }, 'main', 0, 'no'],
  ] as const)('%s', (_, restart, role, used, name) => {
    expect(restartPolicy(restart, role, used)).toEqual({ Name: name })
  })

  it.each([
    ['always', 0, true],
    ['always', 3, true],
    ['on_failure', 0, false],
    ['on_failure', 3, true],
    ['on_failure', 'unknown', true],
    ['never', 3, false],
  ] as const)('%s after exit code %s: %s', (policy, code, expected) => {
    expect(isToRestart({ ...always, policy }, 'main', code)).toBe(expected)
  })
})
