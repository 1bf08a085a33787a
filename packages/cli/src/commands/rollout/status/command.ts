import { command } from '../../../command/command.ts'
import { nameArgument } from '../name-argument.ts'

export const rolloutStatusCommand = command({
  words: ['rollout', 'status'],
  about: 'Follow the newest rollout of a workload to its end',
  more: [
    'Ends with a fault if it failed, and then shows the last lines of what did. Ctrl-C ends watching, and not the rollout.',
  ],
  args: [nameArgument],
  flags: [{ name: 'no-wait', about: 'Only as it is now' }],
  examples: [
    { line: 'gantry rollout status web', about: 'Until it has ended' },
    { line: 'gantry rollout status web --no-wait', about: 'As it is now' },
  ],
})
