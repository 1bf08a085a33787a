import { describe, expect, it } from 'vitest'
import { plain } from '../../output/style.ts'
import { clockFinding } from './clock.ts'
import { findingsText, isWell } from './finding.ts'

const noon = Date.parse('2026-01-31T12:00:00Z')
const date = (offMs: number): string => new Date(noon + offMs).toUTCString()

describe('the clock of a server', () => {
  it.each([
    ['the same', 0, 'good'],
    ['within a second, which its header cannot say', -1000, 'good'],
    ['a little off', 4000, 'good'],
    ['ahead', 30_000, 'warning'],
    ['behind', -31_000, 'warning'],
    ['far ahead', 600_000, 'bad'],
  ] as const)('that is %s is found so', (_, offMs, verdict) => {
    expect(clockFinding(date(offMs), noon, noon + 20).verdict).toBe(verdict)
  })

  it('is not blamed for an answer that took long', () => {
    expect(clockFinding(date(50_000), noon, noon + 60_000).verdict).toBe('good')
  })

  it('is said to be ahead or behind, and by how much', () => {
    expect(clockFinding(date(30_000), noon, noon).found).toBe('the server is 30s ahead')
    expect(clockFinding(date(-31_000), noon, noon).found).toBe('the server is 30s behind')
    expect(clockFinding(null, noon, noon).verdict).toBe('warning')
  })
})

describe('what was found', () => {
  it('is told with what to do, and is well unless something is bad', () => {
    const findings = [
      { about: 'server', verdict: 'good', found: 'answers' },
      { about: 'docker', verdict: 'absent', found: 'not here' },
      { about: 'token', verdict: 'bad', found: 'has expired', next: 'sign in' },
    ] as const
    expect(findingsText(findings, plain)).toBe(
      [
        'ok    server  answers',
        '-     docker  not here',
        'bad   token   has expired',
        '              → sign in',
        '',
      ].join('\n'),
    )
    expect(isWell(findings)).toBe(false)
    expect(isWell(findings.slice(0, 2))).toBe(true)
  })
})
