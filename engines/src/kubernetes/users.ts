/** Who may speak to the API, and the files by which they do: pure. */
import type { Addresses } from './addresses.ts'
import { apiUrl } from './addresses.ts'

/** With the groups of each. Those of the parts have their rights from the API server itself. */
const groupsOf = {
  'admin-token': ['system:masters'],
  /** May do nothing until a test says otherwise. */
  limited: [],
  'system:kube-controller-manager': [],
  'system:kube-scheduler': [],
  'system:kube-proxy': [],
  'system:node:gantry-rig': ['system:nodes'],
  'metrics-server': ['system:masters'],
  rig: ['system:masters'],
} as const satisfies Record<string, readonly string[]>

export type User = keyof typeof groupsOf
export type Tokens = Readonly<Record<User, string>>

export const users = Object.keys(groupsOf) as readonly User[]

/** As the API server reads them: token, name, id, groups. */
export function tokenFile(tokens: Tokens): string {
  return users.map((user) => `${tokens[user]},${user},${user},"${groupsOf[user].join(',')}"\n`).join('')
}

export type Certified = { readonly certificate: string; readonly key: string }

/** For parts of the cluster: one user, known by its token. The text is JSON, which YAML takes. */
export function kubeconfigOf(user: User, tokens: Tokens, addresses: Addresses, ca: string): string {
  return written(addresses, ca, [[user, { token: tokens[user] }]])
}

/** For tests: `admin` by certificate, `admin-token` and `limited` by token, each a context of that name. */
export function userKubeconfig(admin: Certified, tokens: Tokens, addresses: Addresses, ca: string): string {
  return written(addresses, ca, [
    ['admin', { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) }],
    ['admin-token', { token: tokens['admin-token'] }],
    ['limited', { token: tokens.limited }],
  ])
}

function written(addresses: Addresses, ca: string, all: readonly (readonly [string, object])[]): string {
  const cluster = { server: apiUrl(addresses), 'certificate-authority-data': base64(ca) }
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'rig', cluster }],
      users: all.map(([name, user]) => ({ name, user })),
      contexts: all.map(([name]) => ({ name, context: { cluster: 'rig', user: name } })),
      'current-context': all[0]?.[0],
    },
    undefined,
    2,
  )
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
