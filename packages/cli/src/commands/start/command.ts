import { command } from '../../command/command.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const startCommand = command({
  words: ['start'],
  about: 'Run workloads again, with as many replicas as before they were stopped',
  args: [{ name: 'NAME', about: 'the workloads', many: true, offer: { objects: 'workloads' } }],
  flags: [waitFlag],
  examples: [
    { line: 'gantry start web', about: 'Run it again' },
    { line: 'gantry start web api --wait', about: 'Two of them, until it has happened' },
  ],
})
