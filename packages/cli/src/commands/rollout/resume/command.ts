import { command } from '../../../command/command.ts'
import { waitFlag } from '../../../command/global-flags.ts'
import { nameArgument } from '../name-argument.ts'

export const rolloutResumeCommand = command({
  words: ['rollout', 'resume'],
  about: 'Let a paused rollout go on, or try on after a failure that paused it',
  args: [nameArgument],
  flags: [waitFlag],
  examples: [{ line: 'gantry rollout resume web --wait', about: 'Go on, to its end' }],
})
