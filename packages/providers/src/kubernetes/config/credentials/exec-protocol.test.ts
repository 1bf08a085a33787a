import { describe, expect, it } from 'vitest'
import type { ExecPlugin } from '../cluster-config.ts'
import { execInfo, readAnswer } from './exec-protocol.ts'

const plugin: ExecPlugin = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'login',
  args: [],
  env: {},
  provideClusterInfo: false,
}
const answer = (status: unknown, more: object = {}): string =>
  JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', status, ...more })

describe('what a sign-in program is told', () => {
  const config = { server: 'https://x', tlsServerName: 'y', user: { name: 'u' }, origin: 'o' }
  it('is that nobody can be asked, and of its cluster only where it wants to know', () => {
    expect(JSON.parse(execInfo(plugin, config, undefined))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false },
    })
    const curious = { ...plugin, provideClusterInfo: true, clusterExtension: { a: 1 } }
    expect(JSON.parse(execInfo(curious, config, 'CA')).spec.cluster).toEqual({
      server: 'https://x',
      'tls-server-name': 'y',
      'certificate-authority-data': 'Q0E=',
      config: { a: 1 },
    })
  })
})

describe('what a sign-in program says', () => {
  it.each([
    ['a token', { token: 't' }, { token: 't' }],
    [
      'a token that ends',
      { token: 't', expirationTimestamp: '2026-01-01T00:00:00Z' },
      { token: 't', expiresAt: Date.UTC(2026, 0, 1) },
    ],
    ['a certificate', { clientCertificateData: 'C', clientKeyData: 'K' }, { certificate: { cert: 'C', key: 'K' } }],
  ])('is %s', (_, status, expected) => {
    expect(readAnswer(answer(status), plugin)).toEqual(expected)
  })

  it.each([
    ['no JSON', 'secret-token', /no JSON object/],
    [
      'another version',
      answer({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
      /not with an ExecCredential of client.authentication.k8s.io\/v1;/,
    ],
    ['another kind', answer({ token: 't' }, { kind: 'Status' }), /answered with Status/],
    ['nothing', answer(undefined), /neither a token nor a certificate/],
    ['half a certificate', answer({ clientKeyData: 'K' }), /half a certificate/],
    ['no time', answer({ token: 't', expirationTimestamp: 'soon' }), /the time soon/],
  ])('is refused when it is %s, and never quoted', (_, text, said) => {
    const refused = expect.objectContaining({ reason: 'engine_unauthenticated', message: expect.stringMatching(said) })
    expect(() => readAnswer(text, plugin)).toThrowError(refused)
    expect(() => readAnswer(text, plugin)).not.toThrowError(/secret-token/)
  })
})
