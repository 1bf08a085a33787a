import { describe, expect, it } from 'vitest'
import { type SecretStatus, secretKind, secretStatus } from './secret.ts'

const secret = (spec: object = {}) => ({
  apiVersion: 'gantry/v1',
  kind: 'Secret',
  metadata: { name: 'database' },
  spec,
})

describe('a secret', () => {
  it('may be said without a word about its values', () => {
    expect(secretKind.parse(secret()).spec).toEqual({ keys: [] })
  })

  it('may say which values it must have', () => {
    const spec = { description: 'How the shop reaches its database', keys: ['url', 'tls.crt'] }
    expect(secretKind.parse(secret(spec)).spec).toEqual(spec)
  })

  it.each<[string, object, string, RegExp]>([
    ['a value', { value: 'hunter2' }, 'spec.value', /reserved: values are written with PUT/],
    ['its data', { data: { url: 'x' } }, 'spec.data', /never read back/],
    ['its values', { values: { url: 'x' } }, 'spec.values', /never read back/],
    ['text as elsewhere', { stringData: {} }, 'spec.stringData', /never read back/],
    ['a key with a slash', { keys: ['a/b'] }, 'spec.keys[0]', /letters, digits, dashes/],
    ['a key that is empty', { keys: [''] }, 'spec.keys[0]', /letters, digits, dashes/],
    ['a key twice', { keys: ['url', 'url'] }, 'spec.keys[1]', /twice: url/],
    [
      'more keys than anybody has',
      { keys: Array.from({ length: 101 }, (_, n) => `k${n}`) },
      'spec.keys',
      /at most 100/,
    ],
    ['a description of two lines', { description: 'a\nb' }, 'spec.description', /one line/],
  ])('is refused with the path: %s', (_, spec, path, message) => {
    expect(secretKind.check(secret(spec))).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('is never refused with its value in the words', () => {
    const issues = JSON.stringify(secretKind.check(secret({ data: { url: 'hunter2' }, value: 'hunter2' })))
    expect(issues).not.toContain('hunter2')
  })

  it('shows the names and fingerprints of its versions, and has no place for more', () => {
    const version = { version: 1, createdAt: '2026-01-01T00:00:00Z', keys: [{ name: 'url', fingerprint: 'f3a1' }] }
    expect(secretStatus.safeParse({ version: 1, versions: [version] }).success).toBe(true)
    const leaking = { ...version, keys: [{ ...version.keys[0], value: 'hunter2' }] }
    expect(secretStatus.safeParse({ version: 1, versions: [leaking] }).success).toBe(false)
  })

  it.each<[SecretStatus, string[]]>([
    [{}, ['-', '-', '-', '-']],
    [
      {
        version: 2,
        versions: [
          { version: 2, createdAt: '2026-01-02', keys: [key('url'), key('user')] },
          { version: 1, createdAt: '2026-01-01', keys: [] },
        ],
      },
      ['v2', 'url,user', '2026-01-02', '-'],
    ],
    [{ version: 1, versions: [{ version: 1, createdAt: '2026-01-01', keys: [] }] }, ['v1', '-', '2026-01-01', '-']],
  ])('with the status %j is shown as %j', (status, cells) => {
    const manifest = secretKind.parse(secret())
    const object = { ...manifest, metadata: { ...stored, ...manifest.metadata }, status }
    expect(secretKind.columns.map(({ value }) => value(object))).toEqual(cells)
  })
})

function key(name: string) {
  return { name, fingerprint: 'f3a1' }
}

const stored = {
  uid: 'u',
  generation: 1,
  resourceVersion: 1,
  ownerRefs: [],
  finalizers: [],
  createdAt: '2026-01-01T00:00:00Z',
}
