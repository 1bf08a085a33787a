import type { Run } from '../../../command/command.ts'
import type { AnyObject } from '../../../objects/access.ts'
import { dataText, listOf, nameOf } from '../../../output/data.ts'
import { plainName, workloadNamed } from '../../../workloads/act.ts'
import type { rolloutHistoryCommand } from './command.ts'
import { historyTable, inOrder } from './rows.ts'

export const run: Run<typeof rolloutHistoryCommand> = async ({ args, flags }, world) => {
  const name = plainName(args.NAME)
  const workload = await workloadNamed(world, name)
  const { workloads } = await world.tenant()
  const call = { signal: world.signal }
  const rollouts = await workloads.rollouts(name, call).toArray()
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText(listOf(inOrder(rollouts) as unknown as AnyObject[]), flags.output))
  } else if (flags.output === 'name') {
    await world.out.write(
      inOrder(rollouts)
        .map((rollout) => `${nameOf(rollout as unknown as AnyObject)}\n`)
        .join(''),
    )
  } else {
    const releases = await workloads.releases(name, call).toArray()
    const { out, clock } = world
    await out.write(historyTable({ workload, rollouts, releases }, flags.output === 'wide', clock.now(), out.style))
  }
  return 0
}
