import { command } from '../../command/command.ts'

export const doctorCommand = command({
  words: ['doctor'],
  about: 'Look whether everything is in order, and say what to do where it is not',
  more: [
    'Looks at the contexts file, the server and each of its parts, the token, clocks and versions, the providers, the data folder, and which engines this machine has. Ends with 1 if something is wrong; changes nothing.',
  ],
  args: [],
  flags: [
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json', 'yaml'], about: 'text, json or yaml' },
  ],
  examples: [{ line: 'gantry doctor', about: 'What is wrong, and what to do' }],
})
