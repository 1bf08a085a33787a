/** One connection, written down as a kubeconfig that is complete in itself: no further file, no program, no other context. */
import type { Call } from '@gantry/core'
import type { ClusterConfig } from '../../config/cluster-config.ts'
import type { Credentials, Signed } from '../../config/credentials/credentials.ts'
import { textOf } from '../../config/credentials/credentials-of.ts'

/** What we are signed in as now: a token that a program gave us is asked for here, so helm needs neither it nor its path. */
export async function kubeconfigText(config: ClusterConfig, credentials: Credentials, call: Call): Promise<string> {
  const [ca, signed] = await Promise.all([textOf(config.ca, 'the authority of the cluster'), credentials.current(call)])
  return kubeconfigOf(config, ca, signed)
}

export function kubeconfigOf(config: ClusterConfig, ca: string | undefined, signed: Signed): string {
  const { server, insecure = false, tlsServerName, user } = config
  const cluster = {
    server,
    ...(ca !== undefined && !insecure && { 'certificate-authority-data': packed(ca) }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
  }
  const { certificate } = signed
  const { impersonate } = user
  const account = {
    ...authorization(signed),
    ...(certificate && {
      'client-certificate-data': packed(certificate.cert),
      'client-key-data': packed(certificate.key),
    }),
    ...(impersonate?.user !== undefined && { as: impersonate.user }),
    ...(impersonate?.uid !== undefined && { 'as-uid': impersonate.uid }),
    ...(impersonate && impersonate.groups.length > 0 && { 'as-groups': impersonate.groups }),
    ...(impersonate && Object.keys(impersonate.extra).length > 0 && { 'as-user-extra': impersonate.extra }),
  }
  // JSON is YAML, and needs no rules for quoting.
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'it', cluster }],
    users: [{ name: 'us', user: account }],
    contexts: [{ name: 'here', context: { cluster: 'it', user: 'us' } }],
    'current-context': 'here',
  })
}

function authorization({ headers }: Signed): Record<string, string> {
  const { authorization: text } = headers
  if (typeof text !== 'string') return {}
  const [scheme, value = ''] = text.split(' ', 2)
  if (scheme === 'Bearer') return { token: value }
  const [username = '', ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return { username, password: rest.join(':') }
}

const packed = (text: string): string => Buffer.from(text).toString('base64')
