import type { Run } from '../../../command/command.ts'
import { actOnRollout } from '../act.ts'
import type { rolloutAbortCommand } from './command.ts'

export const run: Run<typeof rolloutAbortCommand> = async ({ args, flags }, world) => {
  await actOnRollout(world, args.NAME, {
    did: 'goes back',
    wait: flags.wait,
    want: 'back',
    act: (name, { rollout }) =>
      rollout.abort(name, flags.message === undefined ? {} : { why: flags.message }, { signal: world.signal }),
  })
  return 0
}
