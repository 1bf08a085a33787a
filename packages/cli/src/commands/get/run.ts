import type { Run } from '../../command/command.ts'
import { everywhere, objectsOf } from '../../objects/access.ts'
import { targetsOf } from '../../objects/targets.ts'
import { objectTable } from '../../output/object-table.ts'
import type { getCommand } from './command.ts'

export const run: Run<typeof getCommand> = async ({ args, flags }, world) => {
  const client = await world.client()
  const { tenant } = await world.connection()
  for (const { face } of targetsOf([args.KIND, ...args.NAME])) {
    const source = flags['all-tenants'] ? everywhere(client, face) : objectsOf(client, tenant, face)
    const objects = await source.list({ labelSelector: flags.selector, signal: world.signal }).toArray()
    await world.out.write(
      objectTable(face, objects, {
        wide: flags.output === 'wide',
        tenants: flags['all-tenants'],
        now: world.clock.now(),
      }),
    )
  }
  return 0
}
