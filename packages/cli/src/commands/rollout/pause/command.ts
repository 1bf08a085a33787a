import { command } from '../../../command/command.ts'
import { nameArgument } from '../name-argument.ts'

export const rolloutPauseCommand = command({
  words: ['rollout', 'pause'],
  about: 'Let a rollout go no further for now; what runs stays as it is',
  args: [nameArgument],
  flags: [],
  examples: [{ line: 'gantry rollout pause web', about: 'Look at it first' }],
})
