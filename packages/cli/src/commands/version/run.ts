import type { Run } from '../../command/command.ts'
import { ownVersion } from '../../own-version.ts'
import type { versionCommand } from './command.ts'
import { skewWarning } from './skew.ts'

export const run: Run<typeof versionCommand> = async ({ flags }, world) => {
  const client = { version: ownVersion, node: process.versions.node }
  const server = flags.client ? undefined : await (await world.client()).version({ signal: world.signal })
  const found = { client, ...(server && { server }) }
  if (flags.output === 'json') await world.out.write(`${JSON.stringify(found, undefined, 2)}\n`)
  else if (flags.output === 'yaml') await world.out.write((await import('yaml')).stringify(found))
  else {
    await world.out.write(`gantry ${client.version} (Node ${client.node})\n`)
    if (server) await world.out.write(`server ${server.version}\n`)
  }
  const warning = server && skewWarning(client.version, server.version)
  if (warning) await world.err.write(`${world.err.style.warn('Warning:')} ${warning}\n`)
  return 0
}
