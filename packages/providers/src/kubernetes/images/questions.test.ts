import { describe, expect, it } from 'vitest'
import { parseReference } from '../../images/reference.ts'
import { isDigest, manifestUrl, onwardUrl, tokenIn, tokenUrl } from './questions.ts'

const plain = ['registry.inside:5000', 'bare.inside']
const asked = (image: string): string | undefined => manifestUrl(parseReference(image), plain)?.href

describe('a registry is asked what a tag means', () => {
  it.each([
    ['web', 'https://index.docker.io/v2/library/web/manifests/latest'],
    ['team/web:1.2', 'https://index.docker.io/v2/team/web/manifests/1.2'],
    ['index.docker.io/web:1', 'https://index.docker.io/v2/library/web/manifests/1'],
    ['registry.example/a/b/c:v1_x', 'https://registry.example/v2/a/b/c/manifests/v1_x'],
    ['registry.example:8443/web', 'https://registry.example:8443/v2/web/manifests/latest'],
    ['localhost/web', 'http://localhost/v2/web/manifests/latest'],
    ['localhost:5000/web:1', 'http://localhost:5000/v2/web/manifests/1'],
    ['127.0.0.1:5000/web:1', 'http://127.0.0.1:5000/v2/web/manifests/1'],
    ['[::1]:5000/web:1', 'http://[::1]:5000/v2/web/manifests/1'],
    ['127.0.0.1.example/web', 'https://127.0.0.1.example/v2/web/manifests/latest'],
    ['registry.inside:5000/web:1', 'http://registry.inside:5000/v2/web/manifests/1'],
    ['registry.inside:5001/web:1', 'https://registry.inside:5001/v2/web/manifests/1'],
    ['bare.inside/web:1', 'http://bare.inside/v2/web/manifests/1'],
  ])('%s at %s', (image, url) => {
    expect(asked(image)).toBe(url)
  })

  it.each(['registry.example/../x:1', 'registry.example//x', 'registry.example/x?a=b', 'a.b/x:1#2', 'Web', ''])(
    'not at all for %j, which no registry has',
    (image) => {
      expect(asked(image)).toBeUndefined()
    },
  )
})

describe('a registry sends on', () => {
  const [secure, open] = [new URL('https://registry.example/v2/web/manifests/1'), new URL('http://localhost:5000/v2/')]

  it.each([
    [secure, 'https://near.example/v2/web/manifests/1', 'https://near.example/v2/web/manifests/1'],
    [secure, '/other', 'https://registry.example/other'],
    [open, 'http://127.0.0.1:5001/x', 'http://127.0.0.1:5001/x'],
    [open, 'http://registry.inside:5000/x', 'http://registry.inside:5000/x'],
    [open, 'https://near.example/x', 'https://near.example/x'],
  ])('from %s to %s', (from, location, url) => {
    expect(onwardUrl(location, from, plain)?.href).toBe(url)
  })

  it.each([
    [secure, 'http://near.example/x'],
    [secure, 'http://127.0.0.1:8080/admin'],
    [secure, 'http://registry.inside:5000/x'],
    [open, 'http://near.example/x'],
    [secure, 'file:///etc/passwd'],
    [secure, 'https://me:pass@near.example/x'],
    [secure, 'https://'],
    [secure, undefined],
  ])('from %s in vain to %s', (from, location) => {
    expect(onwardUrl(location, from, plain)).toBeUndefined()
  })

  it('to who gives out tokens, for this repository where it says nothing else', () => {
    const bearer = { scheme: 'bearer', realm: 'https://auth.example/token?x=1' } as const
    const url = (more: object) => tokenUrl({ ...bearer, ...more }, secure, { path: 'team/web' }, plain)?.href
    expect(url({})).toBe('https://auth.example/token?x=1&scope=repository%3Ateam%2Fweb%3Apull')
    expect(url({ service: 'a b', scope: 'all' })).toBe('https://auth.example/token?x=1&service=a+b&scope=all')
    expect(url({ realm: 'http://169.254.169.254/latest' })).toBeUndefined()
  })
})

describe('a token', () => {
  it.each([
    ['{"token":"abc"}', 'abc'],
    ['{"access_token":"abc"}', 'abc'],
    ['{"token":"","access_token":"abc"}', 'abc'],
    ['{"token":"a\\nb"}', undefined],
    ['{"token":1}', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['not JSON', undefined],
  ])('in %s is %s', (body, token) => {
    expect(tokenIn(Buffer.from(body))).toBe(token)
  })
})

describe('a digest', () => {
  it.each([
    [`sha256:${'a'.repeat(64)}`, true],
    [`sha512:${'0'.repeat(128)}`, true],
    [`sha256:${'a'.repeat(63)}`, false],
    ['latest', false],
    [undefined, false],
  ])('%s: %s', (text, expected) => {
    expect(isDigest(text)).toBe(expected)
  })
})
