/** Writes what the parts read: certificates, users, configurations. */
import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '@gantry/core'
import { xtablesOf } from '../docker/programs.ts'
import { type Addresses, apiUrl } from './addresses.ts'
import type { Gates } from './arguments.ts'
import type { Access } from './ask.ts'
import * as configuration from './configuration.ts'
import * as places from './places.ts'
import { debianOf, partOf } from './programs.ts'
import { kubeconfigOf, type Tokens, tokenFile, userKubeconfig, users } from './users.ts'

const run = promisify(execFile)

export type Credentials = {
  /** For the rig itself. */
  readonly own: Access
  readonly ca: string
  readonly tokens: Tokens
  /** The file for tests. */
  readonly kubeconfig: string
}

type Place = { readonly folder: string; readonly programs: string }

export async function writeCredentials(
  { folder, programs }: Place,
  addresses: Addresses,
  call: Call,
): Promise<Credentials> {
  await mkdir(places.certificates(folder))
  const args = [places.certificates(folder), addresses.node, addresses.firstService]
  await run(partOf(programs, 'certificates'), args, { signal: call.signal })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(places.key(folder, 'accounts'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const tokens = Object.fromEntries(users.map((user) => [user, randomBytes(24).toString('base64url')])) as Tokens
  await writeFile(places.tokens(folder), tokenFile(tokens))
  const [ca, certificate, key] = await Promise.all(
    [places.certificate(folder, 'ca'), places.certificate(folder, 'admin'), places.key(folder, 'admin')].map((file) =>
      readFile(file, 'utf8'),
    ),
  )
  if (ca === undefined || certificate === undefined || key === undefined) throw new Error('Three files were read')
  for (const user of users) await writeFile(places.kubeconfig(folder, user), kubeconfigOf(user, tokens, addresses, ca))
  const kubeconfig = places.kubeconfig(folder, 'tests')
  await writeFile(kubeconfig, userKubeconfig({ certificate, key }, tokens, addresses, ca))
  return { own: { server: apiUrl(addresses), ca, token: tokens.rig }, ca, tokens, kubeconfig }
}

export async function writeConfigurations(
  { folder, programs }: Place,
  addresses: Addresses,
  gates: Gates,
  call: Call,
): Promise<void> {
  await writeFile(places.containerdConfig(folder), configuration.containerdConfiguration(folder, programs))
  await mkdir(join(places.registryHosts(folder), '_default'), { recursive: true })
  const hosts = join(places.registryHosts(folder), '_default', 'hosts.toml')
  await writeFile(hosts, configuration.registryConfiguration(addresses))
  await mkdir(places.networkConfig(folder))
  const network = configuration.networkConfiguration(addresses)
  await writeFile(join(places.networkConfig(folder), '10-rig.conflist'), network)
  await writeFile(join(folder, 'resolv.conf'), `nameserver ${addresses.machine}\n`)
  await writeFile(places.kubeletConfig(folder), configuration.kubeletConfiguration(folder, addresses, gates))
  await writeFile(places.proxyConfig(folder), configuration.proxyConfiguration(folder, addresses))
  await nameRules(folder, await xtablesOf(debianOf(programs), call))
}

/** The one program for rules of packets acts by its name, like the one of Kubernetes. */
async function nameRules(folder: string, xtables: string): Promise<void> {
  await mkdir(places.names(folder))
  for (const family of ['iptables', 'ip6tables']) {
    for (const ending of ['', '-save', '-restore']) await symlink(xtables, join(places.names(folder), family + ending))
  }
}
