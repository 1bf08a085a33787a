import { command } from '../../command/command.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const stopCommand = command({
  words: ['stop'],
  about: 'End the processes of workloads, and keep everything else of them',
  args: [{ name: 'NAME', about: 'the workloads', many: true, offer: { objects: 'workloads' } }],
  flags: [waitFlag],
  examples: [
    { line: 'gantry stop web', about: 'Until it is started again' },
    { line: 'gantry stop web api --wait', about: 'Two of them, until it has happened' },
  ],
})
