import type { Run } from '../../command/command.ts'
import { type Contexts, contextsPath, readContexts, writeContexts } from '../../connect/contexts.ts'
import { dataText } from '../../output/data.ts'
import { table } from '../../output/table.ts'
import type { World } from '../../world/world.ts'
import { renamed, used, without, withTenant } from './change.ts'
import type {
  contextLsCommand,
  contextRenameCommand,
  contextRmCommand,
  contextSetTenantCommand,
  contextUseCommand,
} from './commands.ts'

export const list: Run<typeof contextLsCommand> = async ({ flags }, world) => {
  const path = contextsPath(world.env)
  const { current, contexts } = await readContexts(path)
  const all = Object.entries(contexts).map(([name, { server, tenant = 'default', token }]) => ({
    name,
    server,
    tenant,
    current: name === current,
    // Tokens are never shown.
    signedIn: token !== undefined,
  }))
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText({ items: all }, flags.output))
  } else if (flags.output === 'name') {
    await world.out.write(all.map(({ name }) => `${name}\n`).join(''))
  } else if (all.length > 0) {
    const rows = all.map((one) => [
      one.current ? '*' : '',
      one.name,
      one.server,
      one.tenant,
      one.signedIn ? 'yes' : 'no',
    ])
    await world.out.write(table(['CURRENT', 'NAME', 'SERVER', 'TENANT', 'SIGNED IN'], rows))
  }
  if (all.length === 0) await world.err.write(`${path} has none; "gantry serve" and "gantry login" make them\n`)
  return 0
}

export const use: Run<typeof contextUseCommand> = async ({ args }, world) => {
  const { contexts } = await change(world, (before) => used(before, args.NAME))
  await world.out.write(`Now ${args.NAME} is used: ${contexts[args.NAME]?.server}\n`)
  const stronger = ['GANTRY_SERVER', 'GANTRY_CONTEXT'].find((name) => (world.env[name] ?? '') !== '')
  if (stronger !== undefined) {
    await world.err.write(`${world.err.style.warn('Warning:')} $${stronger} is set, and goes before it; unset it\n`)
  }
  return 0
}

export const rename: Run<typeof contextRenameCommand> = async ({ args }, world) => {
  await change(world, (before) => renamed(before, args.NAME, args.NEW))
  await world.out.write(`${args.NAME} is now called ${args.NEW}\n`)
  return 0
}

export const remove: Run<typeof contextRmCommand> = async ({ args }, world) => {
  const { current } = await change(world, (before) => without(before, args.NAME))
  await world.out.write(`${args.NAME} is forgotten\n`)
  if (current === undefined) await world.err.write('None is used now; choose one with "gantry context use NAME"\n')
  return 0
}

export const setTenant: Run<typeof contextSetTenantCommand> = async ({ args }, world) => {
  const which = world.globals.context ?? world.env.GANTRY_CONTEXT
  const after = await change(world, (before) => withTenant(before, which, args.TENANT))
  await world.out.write(`The tenant of ${which ?? after.current} is ${args.TENANT}\n`)
  return 0
}

async function change(world: World, plan: (before: Contexts) => Contexts): Promise<Contexts> {
  const path = contextsPath(world.env)
  const after = plan(await readContexts(path))
  await writeContexts(path, after)
  return after
}
