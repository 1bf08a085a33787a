import { command } from '../../../command/command.ts'
import { waitFlag } from '../../../command/global-flags.ts'
import { nameArgument } from '../name-argument.ts'

export const rolloutAbortCommand = command({
  words: ['rollout', 'abort'],
  about: 'Give a rollout up, and go back to the release before',
  args: [nameArgument],
  flags: [waitFlag, { name: 'message', short: 'm', value: 'TEXT', about: 'Why; kept on the rollout' }],
  examples: [
    { line: 'gantry rollout abort web -m "errors in checkout"', about: 'With a reason for those who come later' },
  ],
})
