import { describe, expect, it } from 'vitest'
import type { ClusterConfig } from '../../config/cluster-config.ts'
import { kubeconfigOf } from './kubeconfig.ts'

const config: ClusterConfig = { server: 'https://10.0.0.1:6443', user: { name: 'admin' }, origin: 'a test' }
const read = (text: string): { cluster: Record<string, unknown>; user: Record<string, unknown> } => {
  const { clusters, users } = JSON.parse(text)
  return { cluster: clusters[0].cluster, user: users[0].user }
}

describe('a connection as a kubeconfig', () => {
  it('has the authority, and the token that we have now', () => {
    expect(read(kubeconfigOf(config, 'CA', { headers: { authorization: 'Bearer t.o.k' } }))).toEqual({
      cluster: { server: 'https://10.0.0.1:6443', 'certificate-authority-data': 'Q0E=' },
      user: { token: 't.o.k' },
    })
  })

  it('has a certificate, a password, and whom we act as', () => {
    const impersonate = { user: 'bob', groups: ['ops'], extra: { why: ['x'] } }
    const signed = {
      headers: { authorization: `Basic ${Buffer.from('me:p:w').toString('base64')}` },
      certificate: { cert: 'C', key: 'K' },
    }
    const { user } = read(kubeconfigOf({ ...config, user: { name: '', impersonate } }, undefined, signed))
    expect(user).toEqual({
      username: 'me',
      password: 'p:w',
      'client-certificate-data': 'Qw==',
      'client-key-data': 'Sw==',
      as: 'bob',
      'as-groups': ['ops'],
      'as-user-extra': { why: ['x'] },
    })
  })

  it('says that any certificate is believed only where we believe any', () => {
    const { cluster } = read(kubeconfigOf({ ...config, insecure: true }, 'CA', { headers: {} }))
    expect(cluster).toEqual({ server: config.server, 'insecure-skip-tls-verify': true })
  })
})
