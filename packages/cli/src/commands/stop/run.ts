import type { Run } from '../../command/command.ts'
import { actOnEach } from '../../workloads/act.ts'
import type { stopCommand } from './command.ts'

export const run: Run<typeof stopCommand> = async ({ args, flags }, world) => {
  await actOnEach(world, args.NAME, {
    did: 'stops',
    wait: flags.wait,
    act: (name, tenant) => tenant.workloads.stop(name, { signal: world.signal }),
  })
  return 0
}
