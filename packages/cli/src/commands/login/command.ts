import { command } from '../../command/command.ts'

export const loginCommand = command({
  words: ['login'],
  about: 'Sign in to a server, and remember that as a context',
  more: [
    'The token is asked for without being shown, or comes from standard input or $GANTRY_TOKEN. It is tried before anything is written; the contexts file is for its owner only.',
  ],
  args: [{ name: 'NAME', about: 'what to call the context; left out: after the server', optional: true }],
  flags: [{ name: 'token-stdin', about: 'Read the token from standard input' }],
  examples: [
    { line: 'gantry login --server https://gantry.example.com', about: 'Asks for the token' },
    {
      line: 'gantry login prod --server https://gantry.example.com --token-stdin < token',
      about: 'From a file, under a name',
    },
  ],
})
