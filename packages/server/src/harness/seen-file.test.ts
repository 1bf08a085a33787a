import { describe, expect, it } from 'vitest'
import { livesOn, namesIn } from './kinds-of-life.ts'
import { seenFrom, seenText } from './seen-file.ts'

const seen = {
  passed: new Map(namesIn(livesOn.kubernetes).map((name) => [name, new Set([`${name} #1`, `${name} #2`])])),
  makes: new Map(namesIn(livesOn.kubernetes).map((name, at) => [name, { Release: at }])),
}

describe('what was seen in lives without a death', () => {
  it('is read again as it was written', () => {
    expect(seenFrom(seenText('kubernetes', seen), 'kubernetes')).toEqual(seen)
  })

  it('is not taken for what is seen on another engine', () => {
    expect(() => seenFrom(seenText('kubernetes', seen), 'docker')).toThrow('was seen on kubernetes')
  })

  it.each([
    ['fewer', { ...seen, passed: new Map([...seen.passed].slice(1)) }],
    ['others', { ...seen, passed: new Map([...seen.passed, ['dance' as 'create', new Set(['step #1'])]]) }],
  ])('is not taken where there were %s actions', (_, those) => {
    expect(() => seenFrom(seenText('kubernetes', those), 'kubernetes')).toThrow('not in these lives')
  })
})
