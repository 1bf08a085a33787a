import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { ClusterConfig } from './cluster-config.ts'
import { mergeKubeconfigs, parseKubeconfig } from './kubeconfig.ts'
import { clusterFromText } from './resolve.ts'
import { selectContext } from './select-context.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** One context `here` with a cluster and a user, each as lines. */
function written(cluster: string, user: string, context = ''): string {
  const indent = (lines: string): string =>
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `      ${line}`)
      .join('\n')
  return `apiVersion: v1
kind: Config
current-context: here
preferences: {}
clusters:
  - name: c
    cluster:
${indent(cluster)}
users:
  - name: u
    user:
${indent(user) || '      {}'}
contexts:
  - name: here
    context:
      cluster: c
      user: u
${indent(context)}
`
}

const at = { name: '/srv/me/.kube/config', folder: '/srv/me/.kube' }
const server = 'server: https://10.0.0.1:6443'

function selected(text: string, options: { context?: string; trusted?: boolean } = {}): ClusterConfig {
  const { trusted = true, ...rest } = options
  return selectContext(parseKubeconfig(text, at), { ...rest, trusted, from: at.name })
}

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return `${error.reason}: ${error.message}`
    throw error
  }
  return 'nothing was refused'
}

describe('a kubeconfig', () => {
  const rows: readonly [string, string, string, object][] = [
    ['a server alone, anonymous', server, '', { server: 'https://10.0.0.1:6443', user: { name: 'u' } }],
    ['a server behind a path', 'server: https://k.example/k8s/c-1/', '', { server: 'https://k.example/k8s/c-1' }],
    [
      'authority and certificate as data',
      `${server}\ncertificate-authority-data: ${base64('CA')}`,
      `client-certificate-data: ${base64('CERT')}\nclient-key-data: ${base64('KEY')}`,
      { ca: { text: 'CA' }, user: { name: 'u', certificate: { cert: { text: 'CERT' }, key: { text: 'KEY' } } } },
    ],
    [
      'files, relative to the folder of the file that names them',
      `${server}\ncertificate-authority: pki/ca.crt`,
      'client-certificate: ../me.crt\nclient-key: /etc/me.key',
      {
        ca: { file: '/srv/me/.kube/pki/ca.crt' },
        user: { name: 'u', certificate: { cert: { file: '/srv/me/me.crt' }, key: { file: '/etc/me.key' } } },
      },
    ],
    [
      'data wins over a file',
      `${server}\ncertificate-authority: ca.crt\ncertificate-authority-data: ${base64('CA')}`,
      '',
      { ca: { text: 'CA' } },
    ],
    [
      'insecure, and under another name',
      `${server}\ninsecure-skip-tls-verify: true\ntls-server-name: other`,
      '',
      { insecure: true, tlsServerName: 'other' },
    ],
    [
      'a token, also one that looks like a number',
      server,
      'token: 12345',
      { user: { name: 'u', token: { text: '12345' } } },
    ],
    [
      'a token in a file, which wins',
      server,
      'token: old\ntokenFile: token',
      { user: { name: 'u', token: { file: '/srv/me/.kube/token' } } },
    ],
    [
      'a name and a password',
      server,
      'username: me\npassword: "pass: word"',
      { user: { name: 'u', basic: { username: 'me', password: 'pass: word' } } },
    ],
    [
      'being somebody else',
      server,
      'token: t\nas: other\nas-uid: "7"\nas-groups: [a, b]\nas-user-extra: {scopes: [x]}',
      {
        user: {
          name: 'u',
          token: { text: 't' },
          impersonate: { user: 'other', uid: '7', groups: ['a', 'b'], extra: { scopes: ['x'] } },
        },
      },
    ],
    [
      'a program that signs in, relative to the file',
      server,
      'exec:\n  apiVersion: client.authentication.k8s.io/v1\n  command: bin/login\n  args: [--for, me]\n  env: [{name: A, value: b}]\n  interactiveMode: IfAvailable\n  installHint: buy it',
      {
        user: {
          name: 'u',
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/srv/me/.kube/bin/login',
            args: ['--for', 'me'],
            env: { A: 'b' },
            provideClusterInfo: false,
            installHint: 'buy it',
          },
        },
      },
    ],
    [
      'a program by name alone, told of its cluster',
      `${server}\nextensions:\n  - {name: client.authentication.k8s.io/exec, extension: {audience: x}}`,
      'exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: login, provideClusterInfo: true}',
      {
        user: {
          name: 'u',
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1beta1',
            command: 'login',
            args: [],
            env: {},
            provideClusterInfo: true,
            clusterExtension: { audience: 'x' },
          },
        },
      },
    ],
  ]
  it.each(rows)('reads %s', (_, cluster, user, expected) => {
    expect(selected(written(cluster, user))).toMatchObject(expected)
  })

  it('has the namespace of its context, and says where it is from', () => {
    expect(selected(written(server, '', 'namespace: team'))).toMatchObject({
      namespace: 'team',
      origin: 'context here of /srv/me/.kube/config',
    })
    expect(selected(written(server, ''))).not.toHaveProperty('namespace')
  })

  it('may be JSON', () => {
    const text = JSON.stringify({
      contexts: [{ name: 'a', context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server: 'http://x' } }],
    })
    expect(selected(text)).toMatchObject({ server: 'http://x', user: { name: '' } })
  })

  const refusals: readonly [string, () => unknown, RegExp][] = [
    [
      'a proxy',
      () => selected(written(`${server}\nproxy-url: socks5://p`, '')),
      /proxy-url socks5:\/\/p.*directly only/,
    ],
    [
      'a provider of old',
      () => selected(written(server, 'auth-provider: {name: gcp}')),
      /auth-provider gcp.*exec plugin/,
    ],
    ['a cluster without server', () => selected(written('insecure-skip-tls-verify: true', '')), /without server/],
    ['no address', () => selected(written('server: "here:there"', '')), /only https:/],
    ['half a certificate', () => selected(written(server, 'client-key: k')), /client-key without client-certificate/],
    ['two ways to sign in', () => selected(written(server, 'token: t\nusername: u')), /token and a username/],
    [
      'an authority that is not asked',
      () => selected(written(`${server}\ninsecure-skip-tls-verify: true\ncertificate-authority: ca`, '')),
      /insecure-skip-tls-verify and/,
    ],
    [
      'a program that must ask somebody',
      () =>
        selected(
          written(server, 'exec: {apiVersion: client.authentication.k8s.io/v1, command: l, interactiveMode: Always}'),
        ),
      /interactiveMode: Always/,
    ],
    [
      'a program of another version',
      () => selected(written(server, 'exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: l}')),
      /v1alpha1; client.authentication.k8s.io\/v1 and/,
    ],
    [
      'an unknown context, naming those there are',
      () => selected(written(server, ''), { context: 'nope' }),
      /no context nope; it has here/,
    ],
    [
      'base64 that is none',
      () => selected(written(`${server}\ncertificate-authority-data: "%%"`, '')),
      /clusters\[0\].cluster.certificate-authority-data must be base64/,
    ],
    ['another kind of document', () => selected('kind: Pod'), /must be Config, and is Pod/],
    ['a list where an object belongs', () => selected('clusters: {}'), /clusters must be a list/],
    ['no context at all', () => selected('{}'), /no current context; name one of none/],
  ]
  it.each(refusals)('refuses %s', (_, work, said) => {
    expect(refusal(work)).toMatch(/^bad_document: /)
    expect(refusal(work)).toMatch(said)
  })

  it('names everything that is wrong at once', () => {
    const text = written('server: 1', 'token: [a]')
    expect(() => parseKubeconfig(text, at)).toThrowError(
      expect.objectContaining({
        issues: [
          { path: 'clusters[0].cluster.server', message: 'must be text' },
          { path: 'users[0].user.token', message: 'must be text' },
        ],
      }),
    )
  })
})

describe('several kubeconfigs', () => {
  it('are one, in which the first of a name counts, and paths belong to their own file', () => {
    const first = parseKubeconfig(written(`${server}\ncertificate-authority: ca`, 'token: first'), at)
    const second = parseKubeconfig(
      `current-context: there
clusters: [{name: c, cluster: {server: "https://other"}}, {name: d, cluster: {server: "https://d", certificate-authority: ca}}]
contexts: [{name: there, context: {cluster: d, user: u}}]`,
      { name: '/etc/k', folder: '/etc' },
    )
    const merged = mergeKubeconfigs([first, second])
    const options = { trusted: true, from: 'both' }
    expect(selectContext(merged, options)).toMatchObject({
      server: 'https://10.0.0.1:6443',
      ca: { file: '/srv/me/.kube/ca' },
    })
    expect(selectContext(merged, { ...options, context: 'there' })).toMatchObject({
      server: 'https://d',
      ca: { file: '/etc/ca' },
      user: { token: { text: 'first' } },
    })
  })
})

describe('a kubeconfig that is a text of somebody else', () => {
  const rows: readonly [string, string, string, RegExp][] = [
    ['a file of this machine', `${server}\ncertificate-authority: /etc/ca`, '', /certificate-authority-data/],
    ['a token of this machine', server, 'tokenFile: /var/run/token', /write token$/],
    [
      'a program',
      server,
      'exec: {apiVersion: client.authentication.k8s.io/v1, command: rm}',
      /rm, which is not run here/,
    ],
  ]
  it.each(rows)('may not name %s', (_, cluster, user, said) => {
    expect(refusal(() => clusterFromText(written(cluster, user), { from: 'Secret k' }))).toMatch(said)
  })

  it('may be trusted by who knows where it is from, and has no folder even then', () => {
    const absolute = written(`${server}\ncertificate-authority: /etc/ca`, '')
    expect(clusterFromText(absolute, { from: 'x', trusted: true })).toMatchObject({ ca: { file: '/etc/ca' } })
    const relative = written(`${server}\ncertificate-authority: ca`, '')
    expect(refusal(() => clusterFromText(relative, { from: 'x', trusted: true }))).toMatch(/has no folder/)
  })
})
