import { command } from '../../command/command.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const restartCommand = command({
  words: ['restart'],
  about: 'Replace every replica of workloads, as their strategy says',
  args: [{ name: 'NAME', about: 'the workloads', many: true, offer: { objects: 'workloads' } }],
  flags: [waitFlag],
  examples: [
    { line: 'gantry restart web', about: 'In new processes' },
    { line: 'gantry restart web api --wait', about: 'Two of them, until it has happened' },
  ],
})
