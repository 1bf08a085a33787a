import { command } from '../../command/command.ts'

export const patchCommand = command({
  words: ['patch'],
  about: 'Change some fields of an object',
  more: [
    'A patch is a part of the object in JSON or YAML: objects are merged, null removes, everything else replaces; lists are replaced as a whole. What comes out is checked like any object.',
  ],
  args: [
    { name: 'KIND', about: 'a kind, or KIND/NAME', offer: 'kinds' },
    { name: 'NAME', about: 'which', optional: true, offer: { objects: 'of_kind' } },
  ],
  flags: [
    { name: 'patch', short: 'p', value: 'PATCH', about: 'As JSON or YAML; - reads it from standard input' },
    { name: 'patch-file', value: 'FILE', about: 'The same from a file', offer: 'files' },
    { name: 'dry-run', about: 'Only show what would change' },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['json', 'yaml', 'name'],
      about: 'Show what came out: json, yaml or name',
    },
  ],
  examples: [
    { line: `gantry patch workload web -p '{"spec":{"replicas":3}}'`, about: 'Three replicas' },
    { line: `gantry patch workload/web -p 'metadata: {labels: {team: null}}'`, about: 'One label less' },
    { line: `gantry patch workload/web -p 'spec: {run: stopped}' --dry-run`, about: 'What would that do?' },
  ],
})
