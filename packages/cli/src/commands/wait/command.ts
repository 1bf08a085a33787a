import { command } from '../../command/command.ts'
import { selectorFlag } from '../../command/global-flags.ts'

export const waitCommand = command({
  words: ['wait'],
  about: 'Stay until objects are ready, gone, or as you say',
  more: [
    'On the way it says what it waits for and how that is; the result is a line for each object. It gives up after --timeout, 5m if left out, with exit code 12. What is known about an older spec does not count.',
  ],
  args: [
    { name: 'KIND', about: 'a kind, or KIND/NAME', offer: 'kinds' },
    { name: 'NAME', about: 'only these', optional: true, many: true, offer: { objects: 'of_kind' } },
  ],
  flags: [
    {
      name: 'for',
      value: 'GOAL',
      about:
        'condition=TYPE or condition=TYPE=STATUS, delete, or FIELD=VALUE such as status.state=running; left out: condition=Ready',
      offer: { words: ['condition=Ready', 'condition=Progressing=False', 'condition=Degraded=False', 'delete'] },
    },
    selectorFlag,
    { name: 'all', about: 'All of that kind in the tenant' },
  ],
  examples: [
    { line: 'gantry wait workload/web --for=condition=Ready', about: 'Until it is ready' },
    {
      line: 'gantry wait wl -l team=web --for=condition=Progressing=False --timeout 10m',
      about: 'Until a team has settled',
    },
    { line: 'gantry wait workload/web --for=delete', about: 'Until it is gone' },
    { line: 'gantry wait rollout/web-r3 --for=status.phase=succeeded', about: 'Until a field has a value' },
  ],
})
