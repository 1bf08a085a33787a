import { command } from '../../command/command.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const deployCommand = command({
  words: ['deploy'],
  about: 'Change images, environment or strategy of a workload, and roll that out',
  more: [
    'What is not named stays as the spec has it. Without any change, the same is rolled out again in new processes, also where it had failed before.',
  ],
  args: [{ name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } }],
  flags: [
    {
      name: 'image',
      value: 'SERVICE=IMAGE',
      many: true,
      about: 'What a service runs from now on; without SERVICE= it is the main one',
    },
    {
      name: 'env',
      short: 'e',
      value: 'KEY=VALUE',
      many: true,
      about: 'Set a variable of the environment; KEY- takes it away',
    },
    { name: 'service', value: 'NAME', about: 'Whose environment; left out: that of the main service' },
    {
      name: 'strategy',
      value: 'TYPE',
      choices: ['rolling', 'recreate', 'blue_green', 'canary'],
      about: 'How it takes over, from now on: rolling, recreate, blue_green or canary',
    },
    { name: 'message', short: 'm', value: 'TEXT', about: 'Why; shown by "gantry rollout history"' },
    { name: 'retry', about: 'The same again, after a failure; may not be given with a change' },
    waitFlag,
  ],
  examples: [
    { line: 'gantry deploy web --image web=registry/app:1.3 --wait', about: 'Another image, until it runs' },
    { line: 'gantry deploy web --env GREETING=hello --env DEBUG-', about: 'One variable more and one less' },
    { line: 'gantry deploy web --strategy canary -m "try 1.3"', about: 'Only some of the requests at first' },
  ],
})
