import { command } from '../../command/command.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const rollbackCommand = command({
  words: ['rollback'],
  about: 'Bring back an earlier release of a workload: images, environment, files and versions of secrets',
  args: [{ name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } }],
  flags: [
    { name: 'to', value: 'RELEASE', about: 'Which one, such as v3; left out: the one before' },
    { name: 'message', short: 'm', value: 'TEXT', about: 'Why; shown by "gantry rollout history"' },
    waitFlag,
  ],
  examples: [
    { line: 'gantry rollback web --wait', about: 'To the release before, until it runs' },
    { line: 'gantry rollback web --to v3 -m "1.4 leaks"', about: 'To a release of your choice' },
  ],
})
