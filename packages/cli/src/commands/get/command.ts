import { command } from '../../command/command.ts'
import { outputFlag, selectorFlag } from '../../command/global-flags.ts'

export const getCommand = command({
  words: ['get'],
  about: 'List objects, or show some by name',
  more: [
    'Kinds can be said in any form: workload, workloads or wl; several with commas. Columns tell what was last seen; where nobody could look, they say unknown and since when.',
    'For programs: -o json is the object itself if one name is given, and else {"apiVersion": "gantry/v1", "kind": "List", "items": […]}. With --watch it is one line for each change, {"type": "put" or "gone", "object": {…}}.',
  ],
  args: [
    { name: 'KIND', about: 'what to look for: a kind, or KIND/NAME', offer: 'kinds' },
    { name: 'NAME', about: 'only these', optional: true, many: true, offer: { objects: 'of_kind' } },
  ],
  flags: [
    outputFlag,
    selectorFlag,
    { name: 'all-tenants', short: 'A', about: 'Those of all tenants, for who may look into all' },
    { name: 'watch', short: 'w', about: 'Stay, and print a line for every change' },
    { name: 'no-headers', about: 'Rows without titles above them' },
  ],
  examples: [
    { line: 'gantry get workloads', about: 'All workloads of the tenant' },
    { line: 'gantry get wl web -o yaml', about: 'One of them, whole' },
    { line: 'gantry get workloads,routes -l team=web', about: 'Two kinds, by label' },
    { line: 'gantry get workload/web route/shop -o name', about: 'Some by name, of several kinds' },
    { line: 'gantry get rollouts -w', about: 'Rollouts as they go on' },
  ],
})
