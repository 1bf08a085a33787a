import { command } from '../../command/command.ts'
import { outputFlag } from '../../command/global-flags.ts'

export const psCommand = command({
  words: ['ps'],
  about: 'The replicas of all workloads, or of some: what state each is in, and where it answers',
  more: ['Where the engine cannot be looked at now, the state is unknown, and standard error says since when.'],
  args: [
    { name: 'NAME', about: 'only of these workloads', optional: true, many: true, offer: { objects: 'workloads' } },
  ],
  flags: [
    { ...outputFlag, choices: ['table', 'wide', 'json', 'yaml'], about: 'How to show it: table, wide, json or yaml' },
  ],
  examples: [
    { line: 'gantry ps', about: 'Everything that runs in the tenant' },
    { line: 'gantry ps web -o wide', about: 'Of one, with its services and engine ids' },
  ],
})
