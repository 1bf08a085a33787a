import { command } from '../../command/command.ts'

export const completeCommand = command({
  words: ['__complete'],
  hidden: true,
  about: 'What shells ask for the words that can follow',
  args: [],
  flags: [
    { name: 'shell', value: 'SHELL', choices: ['bash', 'zsh', 'fish'], about: 'How it has taken the line apart' },
  ],
  rest: 'WORDS',
  examples: [
    { line: 'gantry __complete --shell bash -- get wor', about: 'With the word that is being written at the end' },
  ],
})
