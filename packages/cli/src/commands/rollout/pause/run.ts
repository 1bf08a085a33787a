import type { Run } from '../../../command/command.ts'
import { actOnRollout } from '../act.ts'
import type { rolloutPauseCommand } from './command.ts'

export const run: Run<typeof rolloutPauseCommand> = async ({ args }, world) => {
  await actOnRollout(world, args.NAME, {
    did: 'is paused',
    wait: false,
    act: (name, { rollout }) => rollout.pause(name, { signal: world.signal }),
  })
  return 0
}
