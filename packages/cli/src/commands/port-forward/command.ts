import { command } from '../../command/command.ts'

export const portForwardCommand = command({
  words: ['port-forward'],
  about: 'Reach ports of a workload from this machine',
  more: [
    'PORT is LOCAL:REMOTE, where REMOTE is the name of a port or its number in the spec. REMOTE alone: the same number here, or any free one for a name. With 0 or nothing before the colon, any free one.',
    'Each connection goes to the first replica that is ready when it is made, so new ones find their way after a replica was replaced.',
  ],
  args: [
    { name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } },
    { name: 'PORT', about: 'LOCAL:REMOTE, as in 8080:http', many: true },
  ],
  flags: [
    { name: 'address', value: 'ADDRESS', about: 'Listen here; left out: 127.0.0.1, which only this machine reaches' },
    { name: 'service', value: 'NAME', about: 'Ports of this service; left out: the main one' },
    { name: 'replica', value: 'N', number: true, about: 'Of this replica only, by its number' },
  ],
  examples: [
    { line: 'gantry port-forward web 8080:http', about: 'http://127.0.0.1:8080 is the port "http" of web' },
    { line: 'gantry port-forward db 5432 -v', about: 'The same number on both sides, and a line for each connection' },
    { line: 'gantry port-forward web :http :metrics', about: 'Two at once, each at any free port' },
  ],
})
