import type { Run } from '../../../command/command.ts'
import { actOnRollout } from '../act.ts'
import type { rolloutPromoteCommand } from './command.ts'

export const run: Run<typeof rolloutPromoteCommand> = async ({ args, flags }, world) => {
  await actOnRollout(world, args.NAME, {
    did: 'goes on behind its gate',
    wait: flags.wait,
    act: (name, { rollout }) => rollout.promote(name, { signal: world.signal }),
  })
  return 0
}
