import type { Run } from '../../command/command.ts'
import { workloadNamed } from '../../objects/workload-named.ts'
import { addressOf } from './address.ts'
import { openerOf, openIn } from './browser.ts'
import type { openCommand } from './command.ts'
import { seenPort } from './seen-port.ts'

export const run: Run<typeof openCommand> = async ({ args, flags }, world) => {
  const { signal } = world
  const workload = await workloadNamed(args.NAME, world)
  const client = await world.client()
  const { edge } = await client.version({ signal })
  const routes = await (await world.tenant()).routes.list({ signal }).toArray()
  const seen = await seenPort(workload, world)
  const address = addressOf({ workload, routes, edge, server: client.server, seen })
  await world.out.write(`${address}\n`)
  const opener = flags.print || !world.out.isTerminal ? undefined : openerOf(process.platform, world.env)
  if (opener !== undefined && !(await openIn(opener, address))) {
    await world.err.write(`No browser was opened, as there is no ${opener} here\n`)
  }
  return 0
}
