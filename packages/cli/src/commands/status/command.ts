import { command } from '../../command/command.ts'

export const statusCommand = command({
  words: ['status'],
  about: 'How the tenant is at a glance: its workloads, what is wrong, and since when',
  args: [],
  flags: [
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'yaml'],
      about: 'How to show it: text, json or yaml',
    },
  ],
  examples: [{ line: 'gantry status', about: 'Of the tenant of the context' }],
})
