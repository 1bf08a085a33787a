import type { Run } from '../../command/command.ts'
import { actOnEach, workloadNamed } from '../../workloads/act.ts'
import { deployBody } from './changes.ts'
import type { deployCommand } from './command.ts'

export const run: Run<typeof deployCommand> = async ({ args, flags }, world) => {
  const { spec } = await workloadNamed(world, args.NAME)
  const body = deployBody(flags, spec.services)
  await actOnEach(world, [args.NAME], {
    did: 'deployed',
    wait: flags.wait,
    act: (name, tenant) => tenant.workloads.deploy(name, body, { signal: world.signal }),
  })
  return 0
}
