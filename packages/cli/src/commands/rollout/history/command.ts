import { command } from '../../../command/command.ts'
import { outputFlag } from '../../../command/global-flags.ts'
import { nameArgument } from '../name-argument.ts'

export const rolloutHistoryCommand = command({
  words: ['rollout', 'history'],
  about: 'What was rolled out of a workload: who asked for it, when, what changed and what came of it',
  more: [
    'The oldest is first. The release that runs is marked; "gantry rollback NAME --to RELEASE" brings another one back.',
  ],
  args: [nameArgument],
  flags: [outputFlag],
  examples: [
    { line: 'gantry rollout history web', about: 'A line for each rollout' },
    { line: 'gantry rollout history web -o wide', about: 'With every field that changed' },
  ],
})
