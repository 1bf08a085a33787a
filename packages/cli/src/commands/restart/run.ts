import type { Run } from '../../command/command.ts'
import { actOnEach } from '../../workloads/act.ts'
import type { restartCommand } from './command.ts'

export const run: Run<typeof restartCommand> = async ({ args, flags }, world) => {
  await actOnEach(world, args.NAME, {
    did: 'restarts',
    wait: flags.wait,
    act: (name, tenant) => tenant.workloads.restart(name, { signal: world.signal }),
  })
  return 0
}
