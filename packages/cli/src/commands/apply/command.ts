import { command } from '../../command/command.ts'
import { fileFlags, pruneFlags } from '../../command/file-flags.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const applyCommand = command({
  words: ['apply'],
  about: 'Bring objects to what files say: all of them, or none',
  more: [
    'Fields that the files never had stay as others set them; what was taken out of a file goes. If any object is refused, nothing is written. "gantry plan" shows beforehand what would happen.',
  ],
  args: [],
  flags: [
    ...fileFlags,
    waitFlag,
    ...pruneFlags,
    { name: 'plan', value: 'HASH', about: 'Only if this still does exactly what "gantry plan" showed with this hash' },
    { name: 'dry-run', about: 'Say what would be done to each object, and do nothing' },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'yaml', 'name'],
      about: 'How to show it: text, json, yaml or name',
    },
  ],
  examples: [
    { line: 'gantry apply', about: 'What ./gantry.yaml says' },
    { line: "gantry apply -f db.yaml -f 'apps/**/*.yaml' --wait", about: 'Several, until they are ready' },
    { line: 'gantry apply -f app.yaml --env-file prod.env --var TAG=1.4', about: 'With variables replaced' },
    { line: 'gantry apply -f apps --prune -l team=web', about: 'And delete what the folder no longer has' },
  ],
})
