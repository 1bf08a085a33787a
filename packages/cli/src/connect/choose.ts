/** Pure: which server, as whom, and for which tenant. Flags go before the environment, and that before the contexts file. */
import { Fault, nearest } from '@gantry/core'
import type { Globals } from '../command/global-flags.ts'
import type { Connection } from '../world/world.ts'
import type { Context, Contexts } from './contexts.ts'

export const usualServer = 'http://127.0.0.1:7400'

const variables = ['GANTRY_CONTEXT', 'GANTRY_SERVER', 'GANTRY_TENANT', 'GANTRY_TOKEN'] as const

export function choose(
  globals: Globals,
  environment: Readonly<Record<string, string | undefined>>,
  contexts: Contexts,
  path: string,
): Connection {
  // A variable that is empty is as good as none.
  const env = Object.fromEntries(variables.map((name) => [name, environment[name] || undefined]))
  const named = contextNamed(globals.context ?? env.GANTRY_CONTEXT, contexts, path)
  const given = globals.server ?? (globals.context === undefined ? env.GANTRY_SERVER : undefined)
  const current = contexts.current === undefined ? undefined : contexts.contexts[contexts.current]
  const context = named ?? (given === undefined ? current : sameServer(given, contexts))
  const tenant = globals.tenant ?? env.GANTRY_TENANT ?? context?.tenant ?? 'default'
  // A context says whom its token is for, also where a flag or a variable names another server beside it.
  const kept = given === undefined || context?.server === withoutSlash(given) ? context?.token : undefined
  const token = globals.token ?? (globals.context === undefined ? env.GANTRY_TOKEN : undefined) ?? kept
  if (given !== undefined) {
    return { server: given, token, tenant, from: globals.server === undefined ? '$GANTRY_SERVER' : '--server' }
  }
  if (context === undefined)
    return { server: usualServer, token, tenant, from: `the usual place, as ${path} names none` }
  const name = globals.context ?? env.GANTRY_CONTEXT ?? contexts.current
  return { server: context.server, token, tenant, from: `context ${name} of ${path}` }
}

function contextNamed(name: string | undefined, { contexts }: Contexts, path: string): Context | undefined {
  if (name === undefined) return undefined
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined
  if (found) return found
  const names = Object.keys(contexts)
  const guess = nearest(name, names)
  const hint =
    guess === undefined
      ? `there ${names.length === 0 ? 'are none' : `is ${names.join(', ')}`}`
      : `did you mean "${guess}"?`
  throw new Fault('bad_request', `There is no context ${JSON.stringify(name)} in ${path}: ${hint}`)
}

/** A token is for one server: it goes to no other. */
function sameServer(server: string, { contexts }: Contexts): Context | undefined {
  return Object.values(contexts).find((context) => context.server === withoutSlash(server))
}

function withoutSlash(server: string): string {
  return server.replace(/\/+$/, '')
}
