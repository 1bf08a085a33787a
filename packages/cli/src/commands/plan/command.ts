import { command } from '../../command/command.ts'
import { fileFlags, pruneFlags } from '../../command/file-flags.ts'

export const planCommand = command({
  words: ['plan'],
  about: 'Show what an apply would do, down to what restarts, and a hash to hold it to',
  more: [
    'Lines begin with + for what is added, - for what goes and ~ for what changes; ! marks what somebody else had set and would be set back. The contents of secrets and of config files are never shown.',
    'The hash covers what is wanted and what is there. "gantry apply --plan HASH" does exactly this, or nothing.',
  ],
  args: [],
  flags: [
    ...fileFlags,
    ...pruneFlags,
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'yaml'],
      about: 'How to show it: text, json or yaml',
    },
  ],
  examples: [
    { line: 'gantry plan', about: 'What applying ./gantry.yaml would do' },
    { line: 'gantry plan -f apps --prune -l team=web', about: 'With what would be deleted' },
    { line: 'gantry plan -f app.yaml -o json | jq -r .hash', about: 'The hash alone, for a later apply' },
  ],
})
