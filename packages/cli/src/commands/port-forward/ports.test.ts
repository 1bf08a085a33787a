import { describe, expect, it } from 'vitest'
import { forwardOf } from './ports.ts'

describe('a port to forward', () => {
  it.each([
    ['8080:http', { local: 8080, remote: 'http' }],
    ['8080:80', { local: 8080, remote: 80 }],
    ['5432', { local: 5432, remote: 5432 }],
    ['http', { local: 0, remote: 'http' }],
    [':http', { local: 0, remote: 'http' }],
    ['0:9000', { local: 0, remote: 9000 }],
  ])('%s is %j', (text, expected) => {
    expect(forwardOf(text)).toEqual(expected)
  })

  it.each(['', ':', '80:', '1:2:3', '70000', 'x:80', '-1:80'])('%j is none', (text) => {
    expect(() => forwardOf(text)).toThrow(/cannot be forwarded/)
  })
})
