import { command } from '../../command/command.ts'
import { fileFlags } from '../../command/file-flags.ts'

export const upCommand = command({
  words: ['up'],
  about: 'Apply files, wait until everything is ready, say where it answers, and follow what it writes',
  more: ['Ctrl-C ends following; what runs goes on running. "gantry down" takes it away.'],
  args: [],
  flags: [...fileFlags, { name: 'detach', short: 'd', about: 'End when everything is ready, without following' }],
  examples: [
    { line: 'gantry up', about: 'What ./gantry.yaml says' },
    { line: 'gantry up -f shop.yaml -d', about: 'From another file, without following' },
  ],
})
