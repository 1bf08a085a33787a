import { describe, expect, it } from 'vitest'
import { parseEndpoint } from './endpoint.ts'
import { authHeader, pullQuery } from './images.ts'

const tls = { ca: 'a', cert: 'b', key: 'c' }

describe('the address of an engine', () => {
  it.each([
    ['unix:///run/docker.sock', undefined, { socket: '/run/docker.sock' }],
    ['tcp://build-1.example:1234', undefined, { host: 'build-1.example', port: 1234 }],
    ['tcp://127.0.0.1', undefined, { host: '127.0.0.1', port: 2375 }],
    ['tcp://[::1]', tls, { host: '::1', port: 2376, tls }],
  ])('%s is read', (text, tls, endpoint) => {
    expect(parseEndpoint(text, tls)).toEqual(endpoint)
  })

  it.each(['', 'docker', 'ssh://host', 'tcp://', 'tcp://host:port', 'unix://relative'])('%j is refused', (text) => {
    expect(() => parseEndpoint(text)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

describe('the question for an image', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  it.each([
    ['web', { fromImage: 'web', tag: 'latest' }],
    ['team/web:2', { fromImage: 'team/web', tag: '2' }],
    ['registry:5000/web', { fromImage: 'registry:5000/web', tag: 'latest' }],
    ['registry:5000/web:3', { fromImage: 'registry:5000/web', tag: '3' }],
    [`web@${digest}`, { fromImage: `web@${digest}` }],
  ])('%s never asks for all tags', (reference, query) => {
    expect(pullQuery(reference)).toEqual(query)
  })

  it('carries an account in letters that a header and an address allow', () => {
    const auth = { username: 'ü?>', password: 'a~~~b' }
    const header = authHeader(auth)
    expect(header).toMatch(/^[\w=-]+$/)
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(auth)
  })
})
