import { describe, expect, it } from 'vitest'
import { mirrorIn, sourcesOf } from './debian-suite.ts'

describe('A newer suite of Debian', () => {
  it('is looked for where the packages of the machine come from, and not where its security fixes do', () => {
    const targets = [
      'Example Example http://mirror.test/example/',
      'Debian Debian-Security http://mirror.test/debian-security/',
      'Debian Debian http://mirror.test/debian/',
    ]
    expect(mirrorIn(targets.join('\n'))).toBe('http://mirror.test/debian/')
    expect(mirrorIn(targets.slice(0, 2).join('\n'))).toBeUndefined()
  })

  it('is named as the only source, with the keys of Debian', () => {
    const lines = sourcesOf('http://mirror.test/debian/', 'forky').split('\n')
    expect(lines).toContain('URIs: http://mirror.test/debian/')
    expect(lines).toContain('Suites: forky')
    expect(lines.some((line) => line.startsWith('Signed-By: '))).toBe(true)
  })
})
