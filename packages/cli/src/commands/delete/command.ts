import { command } from '../../command/command.ts'
import { selectorFlag, waitFlag } from '../../command/global-flags.ts'

export const deleteCommand = command({
  words: ['delete'],
  about: 'Delete objects by name, by label, or those of a file',
  more: [
    'A workload is gone when its engine is seen to be rid of it; --wait stays until then. Volumes that are to be retained stay where the engine keeps them, unless --volumes is given; the next workload of that name finds them. On a terminal you are asked before anything is deleted that you did not name, and before data is; --yes answers that.',
  ],
  args: [
    { name: 'KIND', about: 'a kind, or KIND/NAME', optional: true, offer: 'kinds' },
    { name: 'NAME', about: 'only these', optional: true, many: true, offer: { objects: 'of_kind' } },
  ],
  flags: [
    {
      name: 'filename',
      short: 'f',
      value: 'FILE',
      many: true,
      about: 'The objects of a file, a folder, or - for standard input',
      offer: 'files',
    },
    {
      name: 'env-file',
      value: 'FILE',
      many: true,
      about: 'What variables in the files stand for: NAME=VALUE on each line',
      offer: 'files',
    },
    {
      name: 'var',
      value: 'NAME=VALUE',
      many: true,
      about: 'What a variable in the files stands for; goes before --env-file',
    },
    selectorFlag,
    { name: 'all', about: 'All of that kind in the tenant' },
    { name: 'yes', short: 'y', about: 'Do not ask' },
    waitFlag,
    { name: 'volumes', about: 'Workloads: their retained volumes go too, and with them what is in them' },
    {
      name: 'abandon',
      about: 'Workloads: give up on an engine that is gone for good; what may be left there is kept in audit',
    },
    { name: 'why', value: 'TEXT', about: 'With --abandon: kept in audit with it' },
    { name: 'ignore-not-found', about: 'What is not there is as good as deleted' },
    { name: 'dry-run', about: 'Only say what would be deleted' },
  ],
  examples: [
    { line: 'gantry delete workload web', about: 'One, by name' },
    { line: 'gantry delete -f gantry.yaml --wait', about: 'Everything in a file, until it is gone' },
    { line: 'gantry delete wl,rt -l team=web', about: 'Two kinds, by label' },
    { line: 'gantry delete workload/db --volumes --yes', about: 'With its data, without a question' },
  ],
})
