import { command } from '../../command/command.ts'

export const whoamiCommand = command({
  words: ['whoami'],
  about: 'Who you are to the server, and what you may do there',
  args: [],
  flags: [
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json', 'yaml'], about: 'text, json or yaml' },
  ],
  examples: [{ line: 'gantry whoami', about: 'Name, roles, server and tenant' }],
})
