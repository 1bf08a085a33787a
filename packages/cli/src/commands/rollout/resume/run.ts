import type { Run } from '../../../command/command.ts'
import { actOnRollout } from '../act.ts'
import type { rolloutResumeCommand } from './command.ts'

export const run: Run<typeof rolloutResumeCommand> = async ({ args, flags }, world) => {
  await actOnRollout(world, args.NAME, {
    did: 'goes on',
    wait: flags.wait,
    act: (name, { rollout }) => rollout.resume(name, { signal: world.signal }),
  })
  return 0
}
