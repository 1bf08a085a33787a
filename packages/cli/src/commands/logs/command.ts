import { command } from '../../command/command.ts'

export const logsCommand = command({
  words: ['logs'],
  about: 'What a workload has written, of all its replicas together',
  more: [
    'Lines come in order of time. Where there are several services or replicas, each line begins with SERVICE/REPLICA. Where lines are missing, that is said on standard error, and with -o json by a record with "gap".',
    'Lines of replicas that are gone are kept for a while too, so nothing is lost by a restart. Values of secrets are never in them.',
  ],
  args: [{ name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } }],
  flags: [
    {
      name: 'follow',
      short: 'f',
      about: 'Stay for what comes, also from replicas that come and over restarts of the server; Ctrl-C ends it',
    },
    {
      name: 'since',
      value: 'TIME',
      about: 'Nothing older: how long ago such as 10m, or a time such as 2026-01-31T12:00:00Z',
    },
    { name: 'tail', value: 'N', number: true, about: 'Only the last so many lines' },
    { name: 'service', value: 'NAME', about: 'Of this service only' },
    { name: 'replica', value: 'N', number: true, about: 'Of this replica only, by its number' },
    { name: 'previous', short: 'p', about: 'Of the replicas before those that are there now' },
    { name: 'timestamps', about: 'Begin each line with its time' },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json'],
      about: 'text, or json: a record on each line',
    },
  ],
  examples: [
    { line: 'gantry logs web', about: 'Everything that is kept' },
    { line: 'gantry logs web -f --tail 20', about: 'The last 20 lines, and whatever comes' },
    { line: 'gantry logs web --service api --replica 1 --since 10m', about: 'Of one process, of the last ten minutes' },
    { line: 'gantry logs web --previous --tail 50', about: 'What those wrote that have crashed or were replaced' },
  ],
})
