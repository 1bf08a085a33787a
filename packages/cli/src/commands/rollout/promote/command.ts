import { command } from '../../../command/command.ts'
import { waitFlag } from '../../../command/global-flags.ts'
import { nameArgument } from '../name-argument.ts'

export const rolloutPromoteCommand = command({
  words: ['rollout', 'promote'],
  about: 'Open the gate that a rollout waits at',
  args: [nameArgument],
  flags: [waitFlag],
  examples: [{ line: 'gantry rollout promote web --wait', about: 'The new release may have more requests' }],
})
