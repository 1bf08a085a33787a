import type { Run } from '../../command/command.ts'
import { dataText } from '../../output/data.ts'
import type { whoamiCommand } from './command.ts'
import { grantsText } from './grants.ts'

export const run: Run<typeof whoamiCommand> = async ({ flags }, world) => {
  const client = await world.client()
  const { tenant, from } = await world.connection()
  const { name, grants } = await client.whoami({ signal: world.signal })
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText({ name, grants, server: client.server, tenant }, flags.output))
    return 0
  }
  const lines = [`${name}: ${grantsText({ grants })}`, `server ${client.server} (${from})`, `tenant ${tenant}`]
  await world.out.write(`${lines.join('\n')}\n`)
  return 0
}
