import { command } from '../../command/command.ts'

export const eventsCommand = command({
  words: ['events'],
  about: 'What happened to objects, oldest first',
  more: [
    'Of all objects of the tenant, of one kind, or of one object. The same thing again is one line that counts. With -w it stays, and prints what happens from now on; -o json is then one event on each line.',
  ],
  args: [
    { name: 'KIND', about: 'a kind, or KIND/NAME; left out: everything in the tenant', optional: true, offer: 'kinds' },
    { name: 'NAME', about: 'only this one', optional: true, offer: { objects: 'of_kind' } },
  ],
  flags: [
    { name: 'watch', short: 'w', about: 'Stay, and print what happens' },
    { name: 'warnings', about: 'Only what is not as it should be' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'json', 'yaml'], about: 'table, json or yaml' },
  ],
  examples: [
    { line: 'gantry events', about: 'Everything in the tenant' },
    { line: 'gantry events workload/web -w', about: 'What happens to one workload' },
    { line: 'gantry events --warnings', about: 'What is not as it should be' },
  ],
})
