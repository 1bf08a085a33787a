import { command } from '../../command/command.ts'

export const restoreCommand = command({
  words: ['restore'],
  about: 'A backup into an empty data folder, on this machine, while no server runs on it',
  more: [
    'All of it or nothing. The database is the one of the data folder, or $GANTRY_DATABASE. Put the master.key that the backup was made with there too, before the server is started.',
  ],
  args: [{ name: 'FILE', about: 'what "gantry backup" has written', offer: 'files' }],
  flags: [
    { name: 'data', value: 'FOLDER', about: 'Where to; left out: $GANTRY_DATA, or the usual place', offer: 'files' },
  ],
  examples: [{ line: 'gantry restore gantry.backup.gz --data /var/lib/gantry', about: 'On a new machine' }],
})
