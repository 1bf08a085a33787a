/** What the program was asked for. Pure: nothing is opened here, and what is not safe is refused here. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '@gantry/core'

export type ServeOptions = {
  readonly host: string
  readonly port: number
  readonly data: string
  readonly database: string
  readonly contexts: string
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Where workloads answer. */
  readonly edge: { readonly host: string; readonly port: number }
  /** Nothing but the server itself: neither the Provider of this machine nor an edge. */
  readonly bare: boolean
  /** Whether there is an engine that only pretends. */
  readonly simulated: boolean
}

export type RestoreOptions = Pick<ServeOptions, 'data' | 'database'> & { readonly file: string }

type Environment = Readonly<Record<string, string | undefined>>

export function serveOptions(args: readonly string[], env: Environment): ServeOptions {
  const { values, positionals } = parse('serve', args)
  if (positionals.length > 0) throw refusal('serve', `it takes no ${positionals.join(' ')}`)
  const { host, port } = address('--listen', values.listen ?? '127.0.0.1:7400')
  const edge = address('--edge', values.edge ?? '127.0.0.1:7480')
  const cert = values['tls-cert']
  const key = values['tls-key']
  if ((cert === undefined) !== (key === undefined)) throw refusal('serve', '--tls-cert and --tls-key belong together')
  const tls = cert !== undefined && key !== undefined ? { cert: resolve(cert), key: resolve(key) } : undefined
  if (!isLoopback(host) && !tls && !values['insecure-behind-proxy']) {
    throw refusal(
      'serve',
      `${host} can be reached from elsewhere, so tokens would travel in the clear. Give --tls-cert and --tls-key, ` +
        'or --insecure-behind-proxy if something in front of it speaks TLS',
    )
  }
  // A variable that is empty is as good as none.
  const config = env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return {
    host,
    port,
    ...places(values.data, env),
    edge,
    bare: values.bare ?? false,
    simulated: values.simulated ?? false,
    contexts: env.GANTRY_CONTEXTS || join(config, 'gantry', 'contexts.json'),
    ...(tls && { tls }),
  }
}

export function restoreOptions(args: readonly string[], env: Environment): RestoreOptions {
  const { values, positionals } = parse('restore', args)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw refusal('restore', 'it takes the file of one backup')
  return { ...places(values.data, env), file: resolve(file) }
}

function places(given: string | undefined, env: Environment): { readonly data: string; readonly database: string } {
  const home = env.XDG_DATA_HOME || join(homedir(), '.local/share')
  const data = resolve(given ?? (env.GANTRY_DATA || join(home, 'gantry')))
  return { data, database: env.GANTRY_DATABASE || `sqlite:${join(data, 'gantry.sqlite')}` }
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        listen: { type: 'string' },
        edge: { type: 'string' },
        bare: { type: 'boolean' },
        data: { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'insecure-behind-proxy': { type: 'boolean' },
        simulated: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw refusal(command, error instanceof Error ? error.message : 'the arguments cannot be read')
  }
}

function address(option: '--listen' | '--edge', text: string): { host: string; port: number } {
  const found = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text)
  const port = Number(found?.[3])
  const host = found?.[1] ?? found?.[2]
  if (host === undefined || port > 65_535)
    throw refusal('serve', `${option} must be like 127.0.0.1:7400, and not ${text}`)
  return { host, port }
}

/** By address: a name could mean anything tomorrow. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

type Command = 'serve' | 'restore'

function refusal(command: Command, why: string): Fault {
  return new Fault('bad_request', `gantry ${command} cannot begin: ${why}`)
}
