import { command } from '../../command/command.ts'
import { fileFlags, pruneFlags } from '../../command/file-flags.ts'

export const diffCommand = command({
  words: ['diff'],
  about: 'Show what is different between files and what is there',
  more: [
    'Ends as diff does: with 0 if nothing is different, with 1 if something is, and with 2 if it could not be told.',
  ],
  args: [],
  flags: [...fileFlags, ...pruneFlags],
  examples: [
    { line: 'gantry diff', about: 'What ./gantry.yaml would change' },
    { line: 'gantry diff -f apps || echo different', about: 'In a script' },
  ],
})
