import { describe, expect, it } from 'vitest'
import { type Challenge, challengesOf } from './challenge.ts'

const realm = 'https://auth.example/token'

const rows: readonly (readonly [string, readonly Challenge[]])[] = [
  ['Basic realm="test"', [{ scheme: 'basic' }]],
  ['basic', [{ scheme: 'basic' }]],
  [
    `Bearer realm="${realm}",service="registry.example",scope="repository:team/web:pull"`,
    [{ scheme: 'bearer', realm, service: 'registry.example', scope: 'repository:team/web:pull' }],
  ],
  [`BEARER Realm = "${realm}" , Service=registry`, [{ scheme: 'bearer', realm, service: 'registry' }]],
  [
    `Bearer realm="${realm}",scope="repository:a:pull,push", Basic realm="a, b"`,
    [{ scheme: 'bearer', realm, scope: 'repository:a:pull,push' }, { scheme: 'basic' }],
  ],
  [`Negotiate, Bearer realm="${realm}"`, [{ scheme: 'bearer', realm }]],
  [`Negotiate YWJj==, Bearer realm="${realm}"`, [{ scheme: 'bearer', realm }]],
  ['Bearer realm="say \\"it\\""', [{ scheme: 'bearer', realm: 'say "it"' }]],
  ['Bearer service="registry.example"', []],
  ['Digest realm="x", nonce="y"', []],
  ['', []],
  ['",,=', []],
]

describe('what a registry wants to know of who asks', () => {
  it.each(rows)('is read from %s', (header, expected) => {
    expect(challengesOf(header)).toEqual(expected)
  })
})
