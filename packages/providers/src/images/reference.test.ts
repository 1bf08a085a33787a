import { describe, expect, it } from 'vitest'
import { isImageId, parseReference, sameRepository } from './reference.ts'

const digest = `sha256:${'a'.repeat(64)}`

const rows: readonly [string, string, string, { tag?: string; digest?: string }][] = [
  ['web', 'docker.io', 'library/web', {}],
  ['web:1.2', 'docker.io', 'library/web', { tag: '1.2' }],
  ['team/web:1', 'docker.io', 'team/web', { tag: '1' }],
  ['docker.io/web', 'docker.io', 'library/web', {}],
  ['index.docker.io/library/web:1', 'docker.io', 'library/web', { tag: '1' }],
  ['localhost/web', 'localhost', 'web', {}],
  ['localhost:5000/web', 'localhost:5000', 'web', {}],
  ['127.0.0.1:5000/team/web:1', '127.0.0.1:5000', 'team/web', { tag: '1' }],
  ['registry.example/a/b/c', 'registry.example', 'a/b/c', {}],
  [`web@${digest}`, 'docker.io', 'library/web', { digest }],
  [`registry.example:443/web:1@${digest}`, 'registry.example:443', 'web', { tag: '1', digest }],
  ['[::1]:5000/web:1', '[::1]:5000', 'web', { tag: '1' }],
]

describe('a name of an image', () => {
  it.each(rows)('%s is asked for at %s as %s', (text, registry, path, rest) => {
    const name = text.replace(/@.*$/, '').replace(/:[^:/]*$/, '')
    expect(parseReference(text)).toEqual({ registry, path, name, ...rest })
  })

  it('is of the same repository as another, however both are written', () => {
    expect(sameRepository('web:1', `docker.io/library/web@${digest}`)).toBe(true)
    expect(sameRepository('localhost:5000/web:1', 'localhost:5001/web:1')).toBe(false)
    expect(sameRepository('team/web', 'web')).toBe(false)
  })

  it('is told from the id of an image', () => {
    expect(isImageId(digest)).toBe(true)
    expect(isImageId(`web@${digest}`)).toBe(false)
    expect(isImageId('sha256:abc')).toBe(false)
  })
})
