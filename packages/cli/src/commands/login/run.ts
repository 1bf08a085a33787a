import type { Whoami } from '@gantry/api'
import { Fault } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { connect } from '../../connect/connect.ts'
import { contextsPath, readContexts, writeContexts } from '../../connect/contexts.ts'
import type { World } from '../../world/world.ts'
import { isHere } from '../open/address.ts'
import { grantsText } from '../whoami/grants.ts'
import type { loginCommand } from './command.ts'
import { contextNameFor } from './context-name.ts'

export const run: Run<typeof loginCommand> = async ({ args, flags }, world) => {
  const path = contextsPath(world.env)
  // Before anything is asked: a file that cannot be written to is no place for a token.
  const before = await readContexts(path)
  const { server: asked } = await world.connection()
  const { server } = await connect({ server: asked, token: undefined, tenant: 'default', from: '' }, world.clock)
  if (server.startsWith('http:') && !isHere(server)) {
    const text = `${server} is not encrypted: whoever is on the way can read the token and use it`
    await world.err.write(`${world.err.style.warn('Warning:')} ${text}\n`)
  }
  const token = await tokenFor(server, flags, world)
  const client = await connect({ server, token, tenant: 'default', from: '' }, world.clock, world.globals.timeoutMs)
  const who = await client.whoami({ signal: world.signal })
  const name = args.NAME ?? contextNameFor(server, before)
  const tenant = world.globals.tenant ?? onlyTenant(who)
  const context = { server, token, ...(tenant !== undefined && { tenant }) }
  await writeContexts(path, { current: name, contexts: { ...before.contexts, [name]: context } })
  await world.out.write(`Signed in to ${server} as ${who.name} (${grantsText(who)}); the context is ${name}\n`)
  return 0
}

type Flags = Input<typeof loginCommand>['flags']

async function tokenFor(server: string, flags: Flags, world: World): Promise<string> {
  const { globals, env, keys, signal } = world
  const given = flags['token-stdin'] ? await keys.readAll({ signal }) : (globals.token ?? env.GANTRY_TOKEN)
  const token = (given ?? (await keys.ask(`Token for ${server}: `, { hidden: true, signal }))).trim()
  if (token === '') throw new Fault('bad_request', 'The token is empty; "gantry token create" makes one on a server')
  if (/\s/.test(token)) throw new Fault('bad_request', 'That is no token: it has blanks in it; check what was copied')
  return token
}

/** Whoever may enter one tenant only is meant to be there. */
function onlyTenant({ grants }: Whoami): string | undefined {
  const [first, ...more] = [...new Set(grants.map(({ tenant }) => tenant))]
  return more.length === 0 ? first : undefined
}
