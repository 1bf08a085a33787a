import { describe, expect, it } from 'vitest'
import { unwell, well } from './look.ts'
import {
  afterLook,
  type Health,
  type HealthRules,
  healthMessage,
  isReady,
  nextLookMs,
  startingHealth,
  unknownHealth,
} from './state.ts'

const rules: HealthRules = { intervalSeconds: 10, successThreshold: 2, failureThreshold: 3, startSeconds: 30 }

/** `+` a look that was well, `-` one that was not; all at this age. */
function seen(looks: string, from: Health = startingHealth, ageMs = 1000): Health {
  return [...looks].reduce((health, look) => afterLook(health, look === '+' ? well : unwell('no'), rules, ageMs), from)
}

const passing = seen('++')

describe('health after a row of looks', () => {
  it.each<[string, Health, Health['phase']]>([
    ['one success is not enough', seen('+'), 'starting'],
    ['two in a row are', seen('++'), 'passing'],
    ['two with a failure between are not', seen('+-+'), 'starting'],
    ['failures while it starts are none', seen('------'), 'starting'],
    ['a failure after its time to start is one', seen('-', startingHealth, 30_000), 'failing'],
    ['late is better than never', seen('++', seen('-', startingHealth, 30_000)), 'passing'],
    ['two failures do not take it out', seen('--', passing), 'passing'],
    ['three do', seen('---', passing), 'failing'],
    ['three with a success between do not', seen('--+--', passing), 'passing'],
    ['it comes back after two successes', seen('---++', passing), 'passing'],
    ['and not after one', seen('---+', passing), 'failing'],
    ['what ran before we came is not known', seen('--', unknownHealth, 60_000), 'unknown'],
    ['until it was seen to pass', seen('++', unknownHealth), 'passing'],
    ['or to fail', seen('---', unknownHealth, 60_000), 'failing'],
    ['which it has not while it may still be starting', seen('------', unknownHealth), 'unknown'],
  ])('%s', (_what, health, phase) => {
    expect(health.phase).toBe(phase)
  })

  it('is ready, not ready, or nobody knows', () => {
    expect([passing, startingHealth, seen('---', passing), unknownHealth].map(isReady)).toEqual([
      true,
      false,
      false,
      undefined,
    ])
  })

  it('is looked at soon, then less and less often down to every 250 ms until it is known, then in its interval, give or take a tenth', () => {
    const waits = [0, 1, 2, 3, 10, 20, 21, 99, 9999].map((looks) => nextLookMs(seen('-'.repeat(looks)), rules, 0.5))
    expect(waits).toEqual([10, 11, 11, 12, 20, 39, 41, 250, 250])
    expect(nextLookMs(seen('-'.repeat(60), unknownHealth), rules, 0.5)).toBe(250)
    expect([0, 0.5, 1].map((random) => nextLookMs(passing, rules, random))).toEqual([9000, 10_000, 11_000])
    expect(nextLookMs(seen('---', passing), rules, 0.5)).toBe(10_000)
  })

  it('says why it is not ready, and nothing while all is well', () => {
    expect(healthMessage(startingHealth, rules, false, 1000)).toBeUndefined()
    expect(healthMessage(seen('-'), rules, false, 1000)).toBe('has not passed its health check yet: no')
    expect(healthMessage(seen('-', startingHealth, 30_000), rules, false, 30_000)).toBe(
      'has not passed its health check within 30 s: no',
    )
    expect(healthMessage(seen('---', passing), rules, true, 5000)).toBe('fails its health check: no')
    expect(healthMessage(seen('-', passing), rules, true, 5000)).toBeUndefined()
  })

  it('says nothing of one that is not up in its first second, but at once when one fails that was well', () => {
    expect(healthMessage(seen('-'), rules, false, 999)).toBeUndefined()
    expect(healthMessage(seen('---', passing), rules, true, 999)).toBe('fails its health check: no')
  })
})
