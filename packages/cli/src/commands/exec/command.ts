import { command } from '../../command/command.ts'

export const execCommand = command({
  words: ['exec'],
  about: 'Run a command inside a service that runs',
  more: [
    'What is behind -- is a program and its arguments; no shell reads them, so write "-- sh -c …" where one is wanted. Left out: the main service of the first replica that is ready.',
    'It ends with the exit code of the command; 137 if that was killed, and 125 if the trouble is on the way to it.',
  ],
  args: [
    { name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } },
    { name: 'COMMAND', about: 'must stand behind --', optional: true, many: true },
  ],
  flags: [
    { name: 'stdin', short: 'i', about: 'Pass on what comes through standard input' },
    { name: 'tty', short: 't', about: 'With a terminal: for shells and editors; together with -i' },
    { name: 'service', value: 'NAME', about: 'In this service; left out: the main one' },
    {
      name: 'replica',
      value: 'N',
      number: true,
      about: 'In this replica, by its number; left out: the first that is ready',
    },
  ],
  rest: 'COMMAND...',
  faultExit: 125,
  examples: [
    { line: 'gantry exec -it web -- sh', about: 'A shell' },
    { line: 'gantry exec web --replica 1 -- cat /proc/loadavg', about: 'One command in one replica' },
    { line: 'gantry exec -i db -- psql < schema.sql', about: 'With a file as its input' },
  ],
})
