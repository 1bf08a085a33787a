import { command } from '../../command/command.ts'

export const versionCommand = command({
  words: ['version'],
  about: 'The version of this program and of the server',
  args: [],
  flags: [
    { name: 'client', about: 'Only of this program; asks no server' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json', 'yaml'], about: 'text, json or yaml' },
  ],
  examples: [
    { line: 'gantry version', about: 'Both sides, with a warning if they are too far apart' },
    { line: 'gantry version --client', about: 'This program alone' },
  ],
})
