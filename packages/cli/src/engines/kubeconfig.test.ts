import { describe, expect, it } from 'vitest'
import { kubeconfigText, oneContext } from './kubeconfig.ts'

const config = (more: object = {}) => ({
  'current-context': 'one',
  contexts: [
    { name: 'one', context: { cluster: 'east', user: 'eva', namespace: 'apps' } },
    { name: 'two', context: { cluster: 'east', user: 'plugin' } },
    { name: 'three', context: { cluster: 'nowhere', user: 'eva' } },
  ],
  clusters: [{ name: 'east', cluster: { server: 'https://10.0.0.1:6443', 'certificate-authority': 'pki/ca.crt' } }],
  users: [
    { name: 'eva', user: { 'client-certificate': '/etc/eva.crt', 'client-key': 'eva.key' } },
    { name: 'plugin', user: { exec: { command: 'aws', args: ['eks'] } } },
  ],
  ...more,
})
const at = (value: unknown, path = '/srv/eva/.kube/config') => ({ path, value })

describe('one context of a kubeconfig', () => {
  it('is the current one, with what is in its files, and nothing else', () => {
    const one = oneContext([at(config())], undefined)
    expect(one.files.map(({ path }) => path)).toEqual([
      '/srv/eva/.kube/pki/ca.crt',
      '/etc/eva.crt',
      '/srv/eva/.kube/eva.key',
    ])
    const text = kubeconfigText(one, [Buffer.from('CA'), Buffer.from('CRT'), Buffer.from('KEY')])
    expect(JSON.parse(text)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'cluster',
          cluster: {
            server: 'https://10.0.0.1:6443',
            'certificate-authority-data': Buffer.from('CA').toString('base64'),
          },
        },
      ],
      users: [
        {
          name: 'user',
          user: {
            'client-certificate-data': Buffer.from('CRT').toString('base64'),
            'client-key-data': Buffer.from('KEY').toString('base64'),
          },
        },
      ],
      contexts: [{ name: 'one', context: { cluster: 'cluster', user: 'user', namespace: 'apps' } }],
      'current-context': 'one',
    })
  })

  it('has a token of a file as the text that it is', () => {
    const users = [{ name: 'eva', user: { tokenFile: 'token' } }]
    const one = oneContext([at(config({ users }))], 'one')
    const text = kubeconfigText(one, [Buffer.from('CA'), Buffer.from('abc\n')])
    expect(JSON.parse(text).users[0].user).toEqual({ token: 'abc' })
  })

  it('is put together from several files, of which the first counts', () => {
    const other = { clusters: [{ name: 'east', cluster: { server: 'https://first' } }] }
    const one = oneContext([at(other, '/first'), at(config())], undefined)
    expect(one.cluster).toEqual({ server: 'https://first' })
  })

  it.each<[string, object, string | undefined, RegExp]>([
    [
      'no current one',
      { 'current-context': '' },
      undefined,
      /no current context; say which with --kube-context; there are one/,
    ],
    ['one that is not there', {}, 'four', /has no context "four"; there are one, two, three/],
    ['a cluster that is not there', {}, 'three', /names the cluster "nowhere", which is not there/],
    ['a program', {}, 'two', /signs in with aws, which runs on this machine alone; .*--server-kubeconfig PATH/],
  ])('is refused with what to do: %s', (_, more, context, message) => {
    expect(() => oneContext([at(config(more))], context)).toThrow(message)
  })
})
