import { command } from '../../command/command.ts'

export const serveCommand = command({
  words: ['serve'],
  about: 'Run the server on this machine',
  more: [
    'The first start makes the data folder, a token for the administrator, and a context for this program, so that the next command finds it. Workloads and the edge in front of them go on running when the server ends; the next start takes them over.',
    'The database is SQLite in the data folder, or what $GANTRY_DATABASE says, as postgres://…',
  ],
  args: [],
  flags: [
    { name: 'listen', value: 'ADDRESS', about: 'Where the API answers; left out: 127.0.0.1:7400' },
    { name: 'edge', value: 'ADDRESS', about: 'Where workloads answer; left out: 127.0.0.1:7480' },
    {
      name: 'data',
      value: 'FOLDER',
      about: 'Where everything is kept; left out: $GANTRY_DATA, or the usual place',
      offer: 'files',
    },
    {
      name: 'tls-cert',
      value: 'FILE',
      about: 'The certificate of the API, for addresses that others can reach',
      offer: 'files',
    },
    { name: 'tls-key', value: 'FILE', about: 'The key of that certificate', offer: 'files' },
    {
      name: 'insecure-behind-proxy',
      about: 'Others can reach it without TLS, because something in front of it has it',
    },
    { name: 'bare', about: 'Only the API: neither this machine as a provider nor an edge' },
    { name: 'simulated', about: 'With an engine that only pretends, to try things out' },
    { name: 'print-unit', about: 'Print a unit for systemd that runs it with these flags, and do not run it' },
    { name: 'user', value: 'NAME', about: 'With --print-unit: who it runs as; left out: gantry' },
  ],
  examples: [
    { line: 'gantry serve', about: 'For this machine alone' },
    { line: 'gantry serve --listen 0.0.0.0:7400 --tls-cert tls.crt --tls-key tls.key', about: 'For others too' },
    {
      line: 'gantry serve --print-unit | sudo tee /etc/systemd/system/gantry.service',
      about: 'As a service of the machine',
    },
  ],
})
