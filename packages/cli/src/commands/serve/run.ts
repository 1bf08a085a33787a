import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Fault } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { loadServer } from '../../server/load-server.ts'
import type { World } from '../../world/world.ts'
import type { serveCommand } from './command.ts'
import { stateFolder, unitText } from './unit.ts'

type Flags = Input<typeof serveCommand>['flags']

const texts = ['listen', 'edge', 'data', 'tls-cert', 'tls-key'] as const
const switches = ['insecure-behind-proxy', 'bare', 'simulated'] as const

/** Pure: the flags as the server itself takes them. */
export function serverArgs(flags: Flags): string[] {
  return [
    ...texts.flatMap((name) => (flags[name] === undefined ? [] : [`--${name}`, flags[name]])),
    ...switches.flatMap((name) => (flags[name] ? [`--${name}`] : [])),
  ]
}

export const run: Run<typeof serveCommand> = async ({ flags }, world) => {
  if (flags['print-unit']) return await printUnit(flags, world)
  if (flags.user !== undefined)
    throw new Fault('bad_request', '--user is for --print-unit; run it as that user instead')
  const { runServer, serveOptions } = await loadServer()
  const options = serveOptions(serverArgs(flags), world.env)
  return await runServer(options, (text) => void world.out.write(text), world)
}

async function printUnit(flags: Flags, world: World): Promise<number> {
  const { serveOptions } = await loadServer()
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(world.folder, path)
  const data = absolute(flags.data)
  const given = { ...flags, data, 'tls-cert': absolute(flags['tls-cert']), 'tls-key': absolute(flags['tls-key']) }
  // What would be refused when it starts is better refused now.
  serveOptions(serverArgs(given), world.env)
  const program = [process.execPath, await realpath(process.argv[1] ?? '')]
  const args = serverArgs({ ...given, data: data ?? stateFolder })
  const user = flags.user ?? 'gantry'
  if (!/^[a-z_][a-z0-9_-]*\$?$/i.test(user)) throw new Fault('bad_request', `"${user}" is no name of a user`)
  const argv = [...program, 'serve', ...args]
  await world.out.write(unitText({ argv, user, ...(data !== undefined && { data }) }))
  return 0
}
