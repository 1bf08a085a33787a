/** Docker's own settings of a person: which account is for which registry, or which program knows. Pure. */

import { dockerHub, registryName } from '../../images/reference.ts'
import type { RegistryAuth } from '../api/types/images.ts'

export type ConfiguredAccount =
  | { readonly auth: RegistryAuth }
  /** The program `docker-credential-<helper>` knows, by this name of the registry. */
  | { readonly helper: string; readonly server: string; readonly otherwise?: RegistryAuth }

/** What Docker itself files its own registry under. */
const hubServer = 'https://index.docker.io/v1/'

/** Throws what `JSON.parse` throws. */
export function accountFor(registry: string, configText: string): ConfiguredAccount | undefined {
  const config = recordOf(JSON.parse(configText))
  const auth = fileAccount(registry, recordOf(config.auths))
  const helper = find(registry, recordOf(config.credHelpers)) ?? config.credsStore
  if (typeof helper !== 'string' || helper === '') return auth && { auth }
  const server = registry === dockerHub ? hubServer : registry
  return { helper, server, ...(auth && { otherwise: auth }) }
}

function fileAccount(registry: string, auths: Readonly<Record<string, unknown>>): RegistryAuth | undefined {
  const { auth, username, password, identitytoken } = recordOf(find(registry, auths))
  const serveraddress = registry
  if (typeof identitytoken === 'string' && identitytoken !== '') return { identitytoken, serveraddress }
  if (typeof username === 'string' && typeof password === 'string') return { username, password, serveraddress }
  if (typeof auth !== 'string' || auth === '') return undefined
  const [, name, word] = /^([^:]*):(.*?)\0*$/s.exec(Buffer.from(auth, 'base64').toString('utf8')) ?? []
  return name === undefined || word === undefined ? undefined : { username: name, password: word, serveraddress }
}

/** What a helper answers to `get`; undefined where that makes no sense. */
export function helperAccount(registry: string, answer: string): RegistryAuth | undefined {
  const { Username, Secret } = recordOf(JSON.parse(answer))
  if (typeof Username !== 'string' || typeof Secret !== 'string') return undefined
  // The word that stands for a token instead of a password.
  if (Username === '<token>') return { identitytoken: Secret, serveraddress: registry }
  return { username: Username, password: Secret, serveraddress: registry }
}

/** Registries are filed by address, with or without scheme and path. */
function find(registry: string, entries: Readonly<Record<string, unknown>>): unknown {
  const host = (key: string): string => registryName(key.replace(/^https?:\/\//, '').replace(/\/.*$/, ''))
  return entries[registry] ?? Object.entries(entries).find(([key]) => host(key) === registry)?.[1]
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
