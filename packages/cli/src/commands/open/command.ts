import { command } from '../../command/command.ts'

export const openCommand = command({
  words: ['open'],
  about: 'Where a workload answers; in a browser, if there is one',
  more: [
    'Prints the address. In a terminal on a machine with a screen it is opened in a browser too, unless --print is given.',
  ],
  args: [{ name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } }],
  flags: [{ name: 'print', about: 'Only print the address' }],
  examples: [
    { line: 'gantry open web', about: 'In a browser' },
    { line: 'curl "$(gantry open web)"', about: 'From a script' },
  ],
})
