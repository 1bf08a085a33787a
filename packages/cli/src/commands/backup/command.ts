import { command } from '../../command/command.ts'

export const backupCommand = command({
  words: ['backup'],
  about: 'Everything that the server has stored, as of one moment, in one file',
  more: [
    'Writes go on meanwhile. The file is there when it is whole and was read back to its end; before, there is none of that name. Values of secrets are in it only as they are sealed: keep master.key of the data folder besides, and elsewhere.',
  ],
  args: [],
  flags: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      about: 'Where to; left out: gantry-TIME.backup.gz in this folder',
      offer: 'files',
    },
    { name: 'force', about: 'Write over a file that is there' },
  ],
  examples: [
    { line: 'gantry backup', about: 'Into this folder' },
    { line: 'gantry backup -o /mnt/backups/gantry.gz --force', about: 'In the place of the last one' },
  ],
})
