/** A cluster as the text of a kubeconfig, for programs that know nothing else: whole in itself, and good for as long as the token. */
import type { Call } from '@gantry/core'
import type { ClusterConfig } from './cluster-config.ts'
import { type CredentialsOptions, credentialsOf, textOf } from './credentials/credentials-of.ts'

const name = 'gantry'

/** What a program signs us in with is asked for here, so that nothing else has to run it. JSON, which YAML takes. */
export async function writeKubeconfig(config: ClusterConfig, options: CredentialsOptions, call: Call): Promise<string> {
  const { headers, certificate } = await credentialsOf(config, options).current(call)
  const ca = await textOf(config.ca, 'the authority of the cluster')
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: clusterOf(config, ca) }],
    users: [{ name, user: { ...userOf(config, headers.authorization), ...(certificate && encodedPair(certificate)) } }],
    contexts: [
      { name, context: { cluster: name, user: name, ...(config.namespace && { namespace: config.namespace }) } },
    ],
  })
}

function clusterOf({ server, insecure, tlsServerName }: ClusterConfig, ca: string | undefined): object {
  return {
    server,
    ...(ca !== undefined && { 'certificate-authority-data': encoded(ca) }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
  }
}

function userOf({ user }: ClusterConfig, authorization: string | readonly string[] | undefined): object {
  const { basic, impersonate } = user
  const [, token] = /^Bearer (.*)$/.exec(String(authorization ?? '')) ?? []
  return {
    ...(token !== undefined && { token }),
    ...(token === undefined && basic && { username: basic.username, password: basic.password }),
    ...(impersonate && {
      as: impersonate.user,
      'as-uid': impersonate.uid,
      'as-groups': impersonate.groups,
      'as-user-extra': impersonate.extra,
    }),
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')

function encodedPair({ cert, key }: { readonly cert: string; readonly key: string }): object {
  return { 'client-certificate-data': encoded(cert), 'client-key-data': encoded(key) }
}
