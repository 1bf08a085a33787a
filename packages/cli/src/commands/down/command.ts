import { command } from '../../command/command.ts'
import { fileFlags } from '../../command/file-flags.ts'

export const downCommand = command({
  words: ['down'],
  about: 'Delete what files say, and wait until it is gone',
  more: [
    'Volumes that outlive their workload are kept, unless --volumes is given, and the next "gantry up" finds them. What is not there is nothing to delete.',
  ],
  args: [],
  flags: [
    ...fileFlags,
    { name: 'volumes', about: 'Delete volumes with what is kept in them, too; this cannot be undone' },
    { name: 'no-wait', about: 'Only ask for it' },
  ],
  examples: [
    { line: 'gantry down', about: 'What ./gantry.yaml says' },
    { line: 'gantry down -f shop.yaml --volumes', about: 'With its data' },
  ],
})
