/** Credentials by a configuration: what is in files is read again, what a program said is kept for as long as it is good. */
import { readFile } from 'node:fs/promises'
import { type Call, type Clock, Fault, orAbort } from '@gantry/core'
import type { ClusterConfig, ClusterUser, Impersonation, Material } from '../cluster-config.ts'
import type { Environment } from '../settings.ts'
import type { Credentials, Signed } from './credentials.ts'
import { execInfo, type PluginAnswer, readAnswer } from './exec-protocol.ts'
import { runPlugin } from './run-plugin.ts'

export type CredentialsOptions = {
  readonly clock: Clock
  /** What a program is run with, besides its own. */
  readonly env: Environment
  /** How long it may take. */
  readonly pluginMs?: number
}

/** Tokens of service accounts are renewed in place, long before they expire. */
const readAgainMs = 60_000
/** A token is renewed this long before it expires, so that none expires on the way. */
const earlyMs = 10_000
const usualPluginMs = 60_000

type Looked = { readonly signed: Signed; readonly goodUntil: () => boolean }

export function credentialsOf(config: ClusterConfig, options: CredentialsOptions): Credentials {
  const { clock } = options
  let known: Looked | undefined
  let looking: Promise<Looked> | undefined

  // One look for all who wait; it has its own deadlines, and does not end with the first who leaves.
  function look(): Promise<Looked> {
    looking ??= signed(config, options, { signal: new AbortController().signal })
      .then((found) => {
        known = same(known?.signed, found.signed) && known ? { ...found, signed: known.signed } : found
        return known
      })
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  return {
    current: (call) => (known?.goodUntil() ? known.signed : orAbort(look(), call).then(({ signed: found }) => found)),
    async renew(refused, call) {
      // Somebody else who was refused has looked already.
      if (known && known.signed !== refused) return true
      return (await orAbort(look(), call)).signed !== refused
    },
  }

  async function signed(of: ClusterConfig, { env, pluginMs = usualPluginMs }: CredentialsOptions, call: Call) {
    const { user } = of
    const lookedAt = clock.monotonic()
    const answer = user.exec ? await askPlugin(user.exec) : undefined
    const [token, cert, key] = await Promise.all([
      answer?.token ?? textOf(user.token, 'the token'),
      answer?.certificate?.cert ?? textOf(user.certificate?.cert, 'the client certificate'),
      answer?.certificate?.key ?? textOf(user.certificate?.key, 'the key of the client certificate'),
    ])
    const found: Signed = {
      headers: { ...authorization(user, token?.trim()), ...(user.impersonate && impersonation(user.impersonate)) },
      ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    }
    return { signed: found, goodUntil: goodUntil(user, answer, lookedAt) }

    async function askPlugin(plugin: NonNullable<ClusterUser['exec']>): Promise<PluginAnswer> {
      const info = execInfo(plugin, of, plugin.provideClusterInfo ? await textOf(of.ca, 'the authority') : undefined)
      return readAnswer(await runPlugin(plugin, info, { clock, env, deadlineMs: pluginMs }, call), plugin)
    }
  }

  function goodUntil(user: ClusterUser, answer: PluginAnswer | undefined, lookedAt: number): () => boolean {
    if (answer?.expiresAt !== undefined) {
      const until = answer.expiresAt - earlyMs
      return () => clock.now() < until
    }
    if (user.token && 'file' in user.token) return () => clock.monotonic() - lookedAt < readAgainMs
    return () => true
  }
}

export async function textOf(material: Material | undefined, what: string): Promise<string | undefined> {
  if (material === undefined) return undefined
  if ('text' in material) return material.text
  try {
    return await readFile(material.file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Fault(
      'engine_unauthenticated',
      `${what} cannot be read from ${material.file} (${code ?? String(cause)})`,
      {
        cause,
      },
    )
  }
}

function authorization({ basic }: ClusterUser, token: string | undefined): Record<string, string> {
  if (token) return { authorization: `Bearer ${token}` }
  if (!basic) return {}
  return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` }
}

function impersonation({ user, uid, groups, extra }: Impersonation): Record<string, string | readonly string[]> {
  return {
    ...(user !== undefined && { 'impersonate-user': user }),
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([name, values]) => [`impersonate-extra-${encodeURIComponent(name)}`, values]),
    ),
  }
}

function same(left: Signed | undefined, right: Signed): boolean {
  return left !== undefined && JSON.stringify(left) === JSON.stringify(right)
}
