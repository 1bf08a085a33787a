import { describe, expect, it } from 'vitest'
import { accountFor, helperAccount } from './docker-config.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const me = (serveraddress: string) => ({ auth: { username: 'me', password: 'open:sesame', serveraddress } })
const mine = { auth: base64('me:open:sesame') }

const rows: readonly [string, string, object, unknown][] = [
  ['nothing is set', 'registry.example', {}, undefined],
  ['another registry is known', 'registry.example', { auths: { 'other.example': mine } }, undefined],
  ['it is known by its host', 'registry.example', { auths: { 'registry.example': mine } }, me('registry.example')],
  ['it has a port', '127.0.0.1:5000', { auths: { '127.0.0.1:5000': mine } }, me('127.0.0.1:5000')],
  ['it is known by an address', 'r.example', { auths: { 'https://r.example/v2/': mine } }, me('r.example')],
  ['it is the usual one', 'docker.io', { auths: { 'https://index.docker.io/v1/': mine } }, me('docker.io')],
  [
    'it has an identity token',
    'r.example',
    { auths: { 'r.example': { ...mine, identitytoken: 'abc' } } },
    { auth: { identitytoken: 'abc', serveraddress: 'r.example' } },
  ],
  [
    'the words are written out',
    'r.example',
    { auths: { 'r.example': { username: 'me', password: 'open:sesame' } } },
    me('r.example'),
  ],
  ['an entry is empty', 'r.example', { auths: { 'r.example': {} } }, undefined],
  ['an entry has no colon', 'r.example', { auths: { 'r.example': { auth: base64('me') } } }, undefined],
  [
    'a helper is for it',
    'r.example',
    { credHelpers: { 'r.example': 'vault' }, credsStore: 'desktop' },
    { helper: 'vault', server: 'r.example' },
  ],
  [
    'a helper is for all',
    'r.example',
    { credsStore: 'desktop', auths: { 'r.example': mine } },
    { helper: 'desktop', server: 'r.example', otherwise: me('r.example').auth },
  ],
  [
    'a helper is for all, and it is the usual one',
    'docker.io',
    { credsStore: 'desktop' },
    { helper: 'desktop', server: 'https://index.docker.io/v1/' },
  ],
]

describe("Docker's own settings", () => {
  it.each(rows)('name the account of a registry where %s', (_when, registry, config, expected) => {
    expect(accountFor(registry, JSON.stringify(config))).toEqual(expected)
  })

  it('that are no JSON are not taken for empty ones', () => {
    expect(() => accountFor('r.example', '{')).toThrow(SyntaxError)
  })

  it('leave it to a helper, which answers with a password or with a token', () => {
    const answer = (Username: string) => JSON.stringify({ ServerURL: 'r.example', Username, Secret: 'abc' })
    const serveraddress = 'r.example'
    expect(helperAccount('r.example', answer('me'))).toEqual({ username: 'me', password: 'abc', serveraddress })
    expect(helperAccount('r.example', answer('<token>'))).toEqual({ identitytoken: 'abc', serveraddress })
    expect(helperAccount('r.example', '{}')).toBeUndefined()
  })
})
