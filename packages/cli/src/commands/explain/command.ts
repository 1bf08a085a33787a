import { command } from '../../command/command.ts'

export const explainCommand = command({
  words: ['explain'],
  about: 'What can be written in an object: fields with their types, defaults and meaning',
  more: ['Without a path: the kinds there are, with their short names and who writes them.'],
  args: [
    {
      name: 'PATH',
      about: 'a kind, and fields below it joined by dots, as in workload.spec.services.healthCheck',
      optional: true,
      offer: 'kinds',
    },
  ],
  flags: [{ name: 'recursive', about: 'All fields below, as a tree' }],
  examples: [
    { line: 'gantry explain', about: 'The kinds there are' },
    { line: 'gantry explain workload.spec', about: 'What a workload can ask for' },
    { line: 'gantry explain workload.spec.services.healthCheck', about: 'One field, and those in it' },
    { line: 'gantry explain route --recursive', about: 'Everything that a route has' },
  ],
})
