import { command } from '../../command/command.ts'

export const topCommand = command({
  words: ['top'],
  about: 'What workloads use: processor and memory, of all replicas together',
  more: [
    'Figures are those that the server looked up last, at most half a minute old; a figure that an engine does not have is "-", never 0. With a name also each replica, where its engine tells them apart, and how it was over the last hour.',
  ],
  args: [{ name: 'NAME', about: 'only this workload', optional: true, offer: { objects: 'workloads' } }],
  flags: [
    { name: 'watch', short: 'w', about: 'Stay, and draw it anew every few seconds; Ctrl-C ends it' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'json', 'yaml'], about: 'table, json or yaml' },
  ],
  examples: [
    { line: 'gantry top', about: 'All workloads of the tenant, the greatest first' },
    { line: 'gantry top web', about: 'One of them: now, on average, and at most' },
    { line: 'gantry top -w', about: 'As it changes' },
  ],
})
