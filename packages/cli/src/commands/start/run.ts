import type { Run } from '../../command/command.ts'
import { actOnEach } from '../../workloads/act.ts'
import type { startCommand } from './command.ts'

export const run: Run<typeof startCommand> = async ({ args, flags }, world) => {
  await actOnEach(world, args.NAME, {
    did: 'starts',
    wait: flags.wait,
    act: (name, tenant) => tenant.workloads.start(name, { signal: world.signal }),
  })
  return 0
}
