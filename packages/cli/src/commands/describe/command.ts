import { command } from '../../command/command.ts'
import { selectorFlag } from '../../command/global-flags.ts'

export const describeCommand = command({
  words: ['describe'],
  about: 'Everything about an object that helps a person to see how it is, and why',
  more: [
    'Its conditions with since when they are so, what it asks for, and what happened to it last. For a workload also every replica, and the last lines of those that fail.',
  ],
  args: [
    { name: 'KIND', about: 'a kind, or KIND/NAME', offer: 'kinds' },
    {
      name: 'NAME',
      about: 'only these; left out: all of that kind',
      optional: true,
      many: true,
      offer: { objects: 'of_kind' },
    },
  ],
  flags: [selectorFlag],
  examples: [
    { line: 'gantry describe workload web', about: 'Why is it not ready?' },
    { line: 'gantry describe providers', about: 'What workloads can run on, and how that is' },
    { line: 'gantry describe wl -l team=web', about: 'All of one team' },
  ],
})
